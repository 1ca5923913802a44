"""States of three sizes of which each action changes one row, alone and followed."""

import contextlib
import sys

from figures import summary, table

IN_FLIGHT = 1000
ROWS = {"1 kB": 10, "100 kB": 1_000, "10 MB": 100_000}
TOUCH = ("/rows", '"touch"')
FOLLOW = ["state", "--watch", "/rows", "--json"]


def measure(bench):
    figures = {}
    with contextlib.ExitStack() as stack:
        systems = {
            size: stack.enter_context(bench.system(
                "measured", size.replace(" ", ""), "--workers", "0"))
            for size in ROWS}
        for size, count in ROWS.items():
            for some in [*range(0, count, 20_000)[1:], count]:
                systems[size].penstock("send", "/rows", f'{{"fill":{some}}}')
        counts = {size: system.count(*TOUCH, IN_FLIGHT) for size, system in systems.items()}
        for round_ in range(bench.options.rounds):
            for size, system in systems.items():
                figures.setdefault(size, []).append(system.load(*TOUCH, counts[size], IN_FLIGHT))
                with system.watched(FOLLOW):
                    figures.setdefault(f"{size}, followed", []).append(
                        system.load(*TOUCH, counts[size], IN_FLIGHT))
            print(f"states: round {round_ + 1} of {bench.options.rounds} is done", file=sys.stderr)
    rows = [{"what": name, "in_flight": IN_FLIGHT, **summary(results)}
            for name, results in figures.items()]
    table("states, durable", rows, "1 kB")
    return rows, []
