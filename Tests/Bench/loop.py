"""The counter through the whole loop, beside a bare libzmq chain of the same hops and bare appends."""

import json
import os
import sys

from figures import summary, table
from running import HERE, bare_chain, compiled, run

SHIM = os.path.join(HERE, "..", "..", "Sources", "CSQLite")
IN_FLIGHT = [1, 10, 100, 1000]
LEAST_CHAIN = 400_000
ACTION = ("/left", '"increment"')
BATCHES = [1, 100, 1000]


def measure(bench):
    chain = compiled("chain", bench.directory, "-lzmq")
    append = compiled(
        "append", bench.directory, "-I", os.path.join(SHIM, "include"), os.path.join(SHIM, "CSQLite.c"))
    figures = {}
    with bench.system("counter", "durable", "--workers", "0") as durable, \
            bench.system("counter", "lax", "--workers", "0", "--no-durability") as lax:
        systems = {"durable": durable, "not durable": lax}

        def bare(in_flight, messages):
            pinned = ["taskset", "-c", str(min(os.sched_getaffinity(0)))] if in_flight == 1 else []
            return bare_chain(chain, messages, in_flight, *pinned)

        def through(system, in_flight, messages):
            if in_flight > 1:
                return system.load(*ACTION, messages, in_flight)
            with system.on_one_core():
                return system.load(
                    *ACTION, messages, 1, "taskset", "-c", str(min(os.sched_getaffinity(0))))

        counts = {}
        for in_flight in IN_FLIGHT:
            probe = bare(in_flight, 5_000)
            counts["chain", in_flight] = max(100, int(probe["perSecond"] * bench.options.seconds))
            for name, system in systems.items():
                counts[name, in_flight] = system.count(*ACTION, in_flight)
        for round_ in range(bench.options.rounds):
            for in_flight in IN_FLIGHT:
                figures.setdefault(("chain", in_flight), []).append(
                    bare(in_flight, counts["chain", in_flight]))
                for name, system in systems.items():
                    figures.setdefault((name, in_flight), []).append(
                        through(system, in_flight, counts[name, in_flight]))
            print(f"loop: round {round_ + 1} of {bench.options.rounds} is done", file=sys.stderr)
    rows = [{"what": what, "in_flight": in_flight, **summary(results)}
            for (what, in_flight), results in sorted(figures.items(), key=lambda item: item[0][1])]
    table("loop (1 in flight: one core)", rows, "chain")

    appends = []
    for batch in BATCHES:
        file = os.path.join(bench.directory, f"append-{batch}.sqlite")
        records = 300 if batch == 1 else 100_000
        appends.append(json.loads(run(append, file, "--records", str(records), "--batch", str(batch))))
        print(f"bare appends, {batch:>5} a batch    {appends[-1]['perSecond']:>12,.0f} a second, "
              f"{appends[-1]['p50']:,.0f} µs a batch")
    chain_rate = next(row["perSecond"] for row in rows
                      if row["what"] == "chain" and row["in_flight"] == 1000)
    complaints = []
    if chain_rate < LEAST_CHAIN:
        complaints.append(
            f"the bare chain reached {chain_rate:,.0f} a second with 1,000 in flight, less than "
            f"{LEAST_CHAIN:,}: this machine was too busy for the ratios to mean much")
    return {"loop": rows, "appends": appends}, complaints
