"""Executables and systems that are measured."""

import contextlib
import json
import os
import subprocess
import time

HERE = os.path.dirname(os.path.realpath(__file__))
DEPLOY = os.path.join(HERE, "..", "..", "Deploy")
SUPERVISOR = os.path.join(DEPLOY, "supervisor")
PRODUCTS = ["penstock", "penstock-router", "penstock-bench", "counter", "uptime", "pair", "measured",
            "library-bench"]


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def build():
    return run(os.path.join(DEPLOY, "build"), *PRODUCTS).strip()


def compiled(name, directory, *arguments):
    """A C program of this directory."""
    target = os.path.join(directory, name)
    run("cc", "-O2", "-o", target, os.path.join(HERE, f"{name}.c"), *arguments)
    return target


def bare_chain(executable, messages, in_flight, *prefix):
    """What the compiled `chain` measures."""
    return json.loads(run(
        *prefix, executable, "--messages", str(messages), "--in-flight", str(in_flight)))


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.02)
    raise TimeoutError("the system did not get there")


class Bench:
    """What every part needs: options, executables, a place for files."""

    def __init__(self, options, binaries, directory):
        self.options = options
        self.binaries = binaries
        self.directory = directory
        self.environment = dict(os.environ, PENSTOCK_BIN=binaries)
        self.environment.pop("PENSTOCK_SYSTEM", None)

    def executable(self, name):
        return os.path.join(self.binaries, name)

    @contextlib.contextmanager
    def system(self, application, name, *options):
        """A running system; its run directory is below the part's directory."""
        path = os.path.join(self.directory, name)
        system = System(self, path)
        try:
            run(SUPERVISOR, "up", application, "--run-dir", path, *options, env=self.environment)
            yield system
        finally:
            subprocess.run([SUPERVISOR, "down", "-S", path], env=self.environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class System:
    def __init__(self, bench, path):
        self.bench = bench
        self.path = path

    def penstock(self, *arguments):
        return run(self.bench.executable("penstock"), *arguments, "-S", self.path)

    def question(self, *arguments):
        return json.loads(self.penstock(*arguments, "--json"))

    def load(self, path, action, messages, in_flight, *prefix):
        """What penstock-bench measures."""
        return json.loads(run(
            *prefix, self.bench.executable("penstock-bench"), "--run-dir", self.path, "--path", path,
            "--action", action, "--messages", str(messages), "--in-flight", str(in_flight)))

    def count(self, path, action, in_flight):
        """How many messages take about the wished time."""
        probe = self.load(path, action, 300 * min(in_flight, 10), in_flight)
        return max(100, int(probe["perSecond"] * self.bench.options.seconds))

    @contextlib.contextmanager
    def watched(self, *commands):
        """While commands of penstock look on; each is a client that is there when this begins."""
        with contextlib.ExitStack() as stack:
            clients = self.question("ps")["clients"]
            for command in commands:
                process = stack.enter_context(subprocess.Popen(
                    [self.bench.executable("penstock"), *command, "-S", self.path],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                stack.callback(process.terminate)
            until(lambda: self.question("ps")["clients"] >= clients + len(commands))
            yield

    def processes(self):
        """The pids of router, features and workers by their names."""
        answer = self.question("ps")
        return {"router": answer["pid"], **{peer["name"]: peer["pid"] for peer in answer["peers"]}}

    @contextlib.contextmanager
    def on_one_core(self):
        """Every thread of the system on the first core. Unpinned, one action at a time swings by half."""
        threads = [int(thread) for pid in self.processes().values()
                   for thread in os.listdir(f"/proc/{pid}/task")]
        before = os.sched_getaffinity(0)
        for thread in threads:
            os.sched_setaffinity(thread, {min(before)})
        try:
            yield
        finally:
            for thread in threads:
                os.sched_setaffinity(thread, before)
