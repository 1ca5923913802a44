"""SIGSTOP to each feature, and a feature that is held down, while clients send."""

import os
import signal
import subprocess
import time

from judging import check, text_of, within
from judging_pair import judge
from load import Client, adder
from processes import is_alive
from running_system import System

# Seconds that a feature may owe an answer (R2).
DEADLINE = 2


def run(directory, options):
    hold = 10 if options.short else 60
    print(f"# stops: SIGSTOP to each feature; one is held down for {hold} s", flush=True)
    system = System("pair", directory, "--workers", "1")
    if not system.up():
        return
    bases = {"left": 10_000_000, "right": 20_000_000}
    adders = [(Client(system, directory, f"{path}-adder", f"/{path}", adder(base), per_second=100), base,
               path) for path, base in bases.items()]
    left, right = adders[0][0], adders[1][0]
    check("all clients are acknowledged", None not in (left.grows(50, 20), right.grows(50, 20)))
    for service, client in [("feature:left", left), ("feature:right", right), ("feature:", left)]:
        name = service.removeprefix("feature").replace(":", "/")
        old = system.pid(service)
        os.kill(old, signal.SIGSTOP)
        start = time.monotonic()
        back = within(20, lambda: system.has_new_pid(service, old), 0.005)
        client.grows(1, 20)
        took = time.monotonic() - start
        check(f"SIGSTOP of {name}: it commits again under a new pid after {took:.2f} s, at most 4",
              back is not None and took <= 4, system.logs())
        check("the stopped process is gone", not is_alive(old))
        check("all clients go on", None not in (left.grows(50, 20), right.grows(50, 20)), system.logs())

    # The rate is that of a client which sends as fast as its 16 actions on their way allow.
    fast = Client(system, directory, "right-fast", "/right", lambda number: {"bump": 1})
    fast.grows(1000, 20)
    window = min(hold, 10)
    before = fast.rate(window)
    unavailable = left.read()["unavailable"]
    committed = left.committed
    start = time.monotonic()
    subprocess.run(["s6-svc", "-d", system.service("feature:left")], check=True)
    told = within(20, lambda: left.read()["unavailable"] > unavailable)
    check(f"/left is held down: its actions get `unavailable` after {text_of(told)}", told is not None,
          left.read())
    time.sleep(max(0, start + DEADLINE + 0.2 - time.monotonic()))
    since, done, rates = time.monotonic(), fast.committed, []
    while time.monotonic() < start + hold - 1:
        rates.append(fast.rate(min(window, max(1, start + hold - time.monotonic()))))
    down = (fast.committed - done) / (time.monotonic() - since)
    print(f"# /right: {before:,.0f} a second before, {down:,.0f} while /left is down "
          f"(by windows: {', '.join(f'{r:,.0f}' for r in rates)})", flush=True)
    check(f"the others commit {down / before:.2f} times as fast as before, at least 0.8", down / before >= 0.8)
    refused = left.read()["unavailable"] - unavailable
    check(f"/left refused all meanwhile ({refused})", refused > 20 * hold and
          left.committed - committed < 100 * (DEADLINE + 1), left.read())
    subprocess.run(["s6-svc", "-u", system.service("feature:left")], check=True)
    back = left.grows(1, 20)
    check(f"/left returns: it commits again after {text_of(back)}", back is not None and back <= 4,
          system.logs())
    after = fast.rate(window)
    print(f"# /right: {after:,.0f} a second afterwards", flush=True)
    check("all clients go on", None not in (left.grows(50, 20), right.grows(50, 20)), system.logs())
    for client in [left, right, fast]:
        client.finish()
    bumps = len(fast.outcomes()[0])
    state = system.state()
    added = sum(row["id"] for row in state["right"]["numbers"].values())
    check(f"all of {bumps} fast actions were applied once", state["right"]["sum"] == added + bumps,
          (state["right"]["sum"], added + bumps))
    # They change one sum only, which the judge expects to be that of the numbers.
    system.send("/right", {"bump": -bumps})
    judge(system, adders, [])
    system.down()
