"""What looking costs: a tap, and subscribers of the state."""

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
                with system.watched(*commands):
                    figures.setdefault(name, []).append(system.load(*ACTION, messages, IN_FLIGHT))
            print(f"watchers: round {round_ + 1} of {bench.options.rounds} is done", file=sys.stderr)
    rows = [{"what": name, "in_flight": IN_FLIGHT, **summary(results)}
            for name, results in figures.items()]
    table("watchers, not durable", rows, "nobody looks")
    return rows, []
