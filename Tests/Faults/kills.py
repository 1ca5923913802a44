"""SIGKILL to each process of a system while clients send."""

import os
import signal
import time

from judging import check, text_of, within
from judging_pair import judge
from load import Client, adder
from processes import is_alive, parent, processes
from running_system import System


def run(directory, options):
    print("# kills: durable, every process is killed under load", flush=True)
    system = System("pair", directory, "--workers", "2")
    if not system.up():
        return
    adders, askers = [], []
    for index, path in enumerate(["left", "left", "right"]):
        base = (index + 1) * 10_000_000
        adders.append((Client(system, directory, f"adder-{index + 1}", f"/{path}", adder(base),
                              per_second=300), base, path))
    base = 90_000_000
    ask = lambda number: {"ask": {"_0": base + number, "milliseconds": 50}}
    askers.append((Client(system, directory, "asker", "/left", ask, per_second=20), base, "left"))
    clients = [entry[0] for entry in adders + askers]

    def go_on(seconds=30):
        """Seconds until every client has new acknowledgements."""
        before = [client.committed for client in clients]
        return within(seconds, lambda: all(
            client.committed >= old + 10 for client, old in zip(clients, before)))

    check("all clients are acknowledged", go_on() is not None, system.logs())
    for service in system.services():
        old = system.pid(service)
        os.kill(old, signal.SIGKILL)
        start = time.monotonic()
        back = within(20, lambda: system.has_new_pid(service, old))
        went_on = go_on()
        check(f"SIGKILL of {service}: it is back after {text_of(back)}, all clients go on after "
              f"{text_of(went_on and time.monotonic() - start)}", back is not None and went_on is not None,
              system.logs())
    for service in system.services():
        old = system.pid(service)
        os.kill(parent(old), signal.SIGKILL)
        start = time.monotonic()
        back = within(20, lambda: system.has_new_pid(service, old))
        gone = within(5, lambda: not is_alive(old))
        went_on = go_on()
        check(f"SIGKILL of s6-supervise of {service}: it is back after {text_of(back)}, all clients go on "
              f"after {text_of(went_on and time.monotonic() - start)}, the process before is gone",
              None not in (back, gone, went_on), system.logs())
    os.kill(system.scanner(), signal.SIGKILL)
    gone = within(20, lambda: not system.living())
    check(f"SIGKILL of s6-svscan: no process of the system is left after {text_of(gone)}",
          gone is not None, [(pid, processes().get(pid)) for pid in system.living()])
    system.up("up after that")
    check("all clients go on", go_on() is not None, system.logs())
    keeper = parent(system.scanner())
    os.kill(keeper, signal.SIGKILL)
    gone = within(20, lambda: not system.living())
    check(f"SIGKILL of the keeper: no process of the system is left after {text_of(gone)}",
          gone is not None, [(pid, processes().get(pid)) for pid in system.living()])
    system.up("up after that")
    check("all clients go on", go_on() is not None, system.logs())
    for pid in system.living():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    gone = within(20, lambda: not system.living())
    check(f"SIGKILL of all at once: none is left after {text_of(gone)}", gone is not None, system.living())
    system.up("up after that")
    check("all clients go on", go_on() is not None, system.logs())
    for client in clients:
        client.finish()
    judge(system, adders, askers)
    system.down()
