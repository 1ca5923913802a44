"""A system under the supervisor."""

import json
import os
import subprocess

from judging import check, within
from processes import descriptors, processes

DEPLOY = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../Deploy"))


def binary(name):
    return os.path.join(os.environ["PENSTOCK_BIN"], name)


class System:
    """An application under the supervisor, in a run directory of its own."""

    # What its processes have besides this one's.
    environment = {}

    def __init__(self, application, directory, *options):
        self.run = os.path.join(directory, application)
        self.start = ["up", application, "--run-dir", self.run, *options]

    def supervisor(self, *arguments):
        return subprocess.run([os.path.join(DEPLOY, "supervisor"), *arguments], text=True,
                              env={**os.environ, **self.environment},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def up(self, why="up"):
        result = self.supervisor(*self.start)
        return check(why, result.returncode == 0, result.stdout)

    def down(self):
        result = self.supervisor("down", "-S", self.run)
        check("down", result.returncode == 0, result.stdout)
        check("no process is left", within(5, lambda: not self.living()) is not None, self.living())
        sockets = [name for name in os.listdir(self.run) if name.endswith(".sock")]
        check("no socket is left", not sockets, sockets)

    def penstock(self, *arguments):
        return subprocess.run([binary("penstock"), *arguments, "-S", self.run], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def send(self, path, action):
        result = self.penstock("send", path, json.dumps(action), "--timeout", "20s")
        if result.returncode != 0:
            raise RuntimeError(f"send to {path}: {result.stderr}")

    def state(self, path="/"):
        result = self.penstock("state", path, "--json", "--timeout", "20s")
        if result.returncode != 0:
            raise RuntimeError(f"state of {path}: {result.stderr}")
        return json.loads(result.stdout)

    def services(self):
        return sorted(name for name in os.listdir(os.path.join(self.run, "scan"))
                      if not name.startswith("."))

    def service(self, name):
        return os.path.join(self.run, "scan", name)

    def pid(self, service):
        """Of a service's process that is ready, or None."""
        result = subprocess.run(["s6-svstat", "-o", "ready,pid", self.service(service)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready, _, pid = result.stdout.strip().partition(" ")
        return int(pid) if ready == "true" else None

    def has_new_pid(self, service, old):
        return self.pid(service) not in (None, old)

    def holders(self):
        """Processes of the system, alive or not: each holds the lock."""
        lock = os.path.join(self.run, "lock")
        return {pid for pid in processes() if lock in descriptors(pid)}

    def living(self):
        """Who names the run directory, or holds its lock; the clients of this test do not count."""
        named = {pid for pid, words in processes().items()
                 if any(self.run in word for word in words) and os.path.basename(words[0]) != "penstock"}
        return (named | self.holders()) - {os.getpid()}

    def scanner(self):
        return next(pid for pid, words in processes().items()
                    if os.path.basename(words[0]) == "s6-svscan" and any(self.run in w for w in words))

    def logs(self):
        lines = []
        for name in sorted(os.listdir(os.path.join(self.run, "log"))):
            try:
                with open(os.path.join(self.run, "log", name, "current"), errors="replace") as file:
                    lines += [f"--- {name}"] + file.read().splitlines()[-4:]
            except OSError:
                pass
        return "\n".join(lines)
