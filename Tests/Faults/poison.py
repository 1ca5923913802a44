"""An action that ends its feature's process each time, under the supervisor's back-off."""

import json
import os
import re
import signal
import subprocess
import time

from judging import check, within
from load import Client, adder
from running_system import System


def run(directory, options):
    print("# poison: an action that ends its feature, and one under load", flush=True)
    system = System("pair", directory, "--workers", "1")
    if not system.up():
        return
    bases = {"left": 10_000_000, "right": 20_000_000}
    right = Client(system, directory, "right", "/right", adder(bases["right"]), per_second=200)
    check("/right is acknowledged", right.grows(20, 20) is not None)
    quiet = trap(system, "left")
    check("/right commits meanwhile or right after", right.grows(20, 5) is not None, system.logs())
    check("/left commits afterwards", commits(system, "left", bases["left"]), system.logs())
    # With much on its way, the first process dies of an action that it reduces ahead of the others.
    loaded = trap(system, "right")
    check("/right commits afterwards", right.grows(20, 5) is not None, system.logs())
    listed = system.penstock("quarantine", str(quiet), "--retry", "--timeout", "30s")
    check("the first one, tried again at once, is poison again", "void (poison)" in listed.stdout,
          listed.stdout + listed.stderr + system.logs())
    check("/left commits too", commits(system, "left", bases["left"] + 1), system.logs())
    right.finish()
    refused = {reason: count for reason, count in right.read().items() if reason != "committed"}
    check("no other action was void", not refused, refused)
    listed = system.penstock("quarantine", "--json")
    actions = json.loads(listed.stdout)["actions"]
    check("the quarantine has them", [row["seq"] for row in actions][:2] == [quiet, loaded] and
          len(actions) == 3, listed.stdout)
    state = system.state()
    numbers = sorted(row["id"] for row in state["right"]["numbers"].values())
    committed = sorted(bases["right"] + number for number in right.outcomes()[0])
    check(f"all of {len(committed)} others were applied once",
          numbers == committed and state["right"]["sum"] == sum(committed), (len(numbers), len(committed)))
    check("a process that is killed again and again is started anew with back-off",
          within(30, lambda: backs_off(system, "left")) is not None,
          system.supervisor("status", "-S", system.run).stdout)
    check("it comes back", within(10, lambda: system.pid("feature:left")) is not None, system.logs())
    system.down()


def backs_off(system, name):
    """Kills the process when it is ready; true when the supervisor waits."""
    pid = system.pid(f"feature:{name}")
    if pid:
        os.kill(pid, signal.SIGKILL)
    return re.search(f"^/{name} .*backoff [0-9]+s", system.supervisor("status", "-S", system.run).stdout,
                     re.MULTILINE)


def trap(system, name):
    """Sends it; gives its place in the order."""
    before = deaths(system, name)
    start = time.monotonic()
    result = system.penstock("send", f"/{name}", '"trap"', "--json", "--timeout", "30s")
    took = time.monotonic() - start
    ended = deaths(system, name) - before
    outcome = json.loads(result.stdout) if result.stdout else {}
    check(f"the action that ends /{name} is poison after {took:.1f} s, at most 15, and {ended} deaths",
          outcome.get("flag") == "poison" and took <= 15 and 3 <= ended <= 4,
          result.stdout + result.stderr + system.logs())
    return outcome.get("seq")


def commits(system, name, number):
    return system.penstock("send", f"/{name}", json.dumps({"add": number}),
                           "--timeout", "5s").returncode == 0


def deaths(system, name):
    return len(subprocess.run(["s6-svdt", system.service(f"feature:{name}")], text=True,
                              stdout=subprocess.PIPE).stdout.splitlines())
