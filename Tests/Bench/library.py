"""The reducer library alone: a small action beside a bare closure, levels, rows, coding."""

import json
import statistics

from running import run


def measure(bench):
    rounds, seconds = bench.options.rounds, bench.options.seconds
    rows = json.loads(run(bench.executable("library-bench"), str(rounds), str(seconds)))
    for row in rows:
        row["nanoseconds"] = round(statistics.median(row["rounds"]), 1)
    median = {row["name"]: row["nanoseconds"] for row in rows}
    print(f"{'the library, in one thread':36} {'ns':>10} {'±':>5}")
    for row in rows:
        spread = (max(row["rounds"]) - min(row["rounds"])) / row["nanoseconds"] / 2
        print(f"{row['name']:36} {row['nanoseconds']:>10,.0f} {spread:>5.0%}")
    figures = {
        "beyond the closure": median["reduce: library"] - median["reduce: bare closure"],
        "beyond decoding and closure":
            median["reduce: library"] - median["reduce: decoding and bare closure"],
        "for a level": (median["nesting: 4"] - median["nesting: 1"]) / 3,
        "10,000 rows to 10": median["rows: 10000"] / median["rows: 10"],
    }
    for name in ["action", "1 kB"]:
        for way, other in [("encode", "JSONEncoder"), ("decode", "JSONDecoder")]:
            figures[f"{name}, {way}: {other} to emitted"] = (
                median[f"{name}: {way}, {other}"] / median[f"{name}: {way}, emitted"])
    for name, figure in figures.items():
        figures[name] = round(figure, 2)
        print(f"{name:36} {figure:>10,.1f}")
    return {"rows": rows, **figures}, []
