"""A parent that sees each action of its child, and one that writes to it, beside the bare chain."""

import contextlib
import statistics
import sys

from figures import summary, table
from running import bare_chain, compiled

IN_FLIGHT = 1000
# By name: each so manieth step the parent writes to its child, and how far the child runs ahead.
KINDS = {
    "observes": (0, "adaptive"),
    "writes in 1 %": (100, "adaptive"),
    "writes in each": (1, "adaptive"),
    "writes in each, window 1": (1, "1"),
}


def measure(bench):
    chain = compiled("chain", bench.directory, "-lzmq")
    figures, reductions = {}, {}
    with contextlib.ExitStack() as stack:
        systems = {
            window: stack.enter_context(bench.system(
                "measured", f"window-{window}", "--workers", "0", "--window", window))
            for window in dict.fromkeys(window for _, window in KINDS.values())}

        def through(name, messages):
            interval, window = KINDS[name]
            system = systems[window]
            before = answers(system)
            result = system.load("/child", f'{{"step":{interval}}}', messages, IN_FLIGHT)
            reductions.setdefault(name, []).append((answers(system) - before) / messages)
            return result

        count = int(bare_chain(chain, 5_000, IN_FLIGHT)["perSecond"] * bench.options.seconds)
        counts = {name: max(1_000, int(through(name, 3_000)["perSecond"] * bench.options.seconds))
                  for name in KINDS}
        for round_ in range(bench.options.rounds):
            figures.setdefault("chain", []).append(bare_chain(chain, count, IN_FLIGHT))
            for name in KINDS:
                figures.setdefault(name, []).append(through(name, counts[name]))
            print(f"parents: round {round_ + 1} of {bench.options.rounds} is done", file=sys.stderr)
    rows = [{"what": name, "in_flight": IN_FLIGHT, **summary(results)}
            for name, results in figures.items()]
    for row in rows[1:]:
        row["reductions"] = round(statistics.median(reductions[row["what"]]), 3)
    table("parents, durable", rows, "chain")
    for row in rows[1:]:
        print(f"{row['what']:28} {row['reductions']:.2f} reductions of the child an action")
    return rows, []


def answers(system):
    """How many stages the child answered."""
    return next(peer["actions"] for peer in system.question("ps")["peers"] if peer["name"] == "/child")
