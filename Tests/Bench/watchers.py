"""What looking costs: a tap, and subscribers of the state."""

import contextlib
import subprocess
import sys

from figures import summary, table

ACTION = ("/left", '"increment"')
IN_FLIGHT = 1000


def measure(bench):
    tap = [["tap", "--json"]]
    watch = [["state", "--watch", "/left", "--json"]] * 10
    kinds = {"nobody looks": [], "one tap": tap, "ten subscribers": watch}
    figures = {}
    with bench.system("counter", "watched", "--workers", "0", "--no-durability") as system:
        messages = system.count(*ACTION, IN_FLIGHT)
        for round_ in range(bench.options.rounds):
            for name, commands in kinds.items():
                with contextlib.ExitStack() as stack:
                    clients = system.question("ps")["clients"]
                    for command in commands:
                        process = stack.enter_context(subprocess.Popen(
                            [bench.executable("penstock"), *command, "-S", system.path],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                        stack.callback(process.terminate)
                    while system.question("ps")["clients"] < clients + len(commands):
                        pass
                    figures.setdefault(name, []).append(system.load(*ACTION, messages, IN_FLIGHT))
            print(f"watchers: round {round_ + 1} of {bench.options.rounds} is done", file=sys.stderr)
    rows = [{"what": name, "in_flight": IN_FLIGHT, **summary(results)}
            for name, results in figures.items()]
    table("watchers, not durable", rows, "nobody looks")
    return rows, []
