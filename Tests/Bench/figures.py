"""Medians of rounds, and tables of them."""

import statistics


def summary(results):
    """The median of each figure over the rounds, and all rates, which show the spread."""
    row = {name: statistics.median(result[name] for result in results)
           for name in ["perSecond", "p50", "p99", "p999"]}
    row["rounds"] = [result["perSecond"] for result in results]
    return row


def spread(row):
    rounds = row["rounds"]
    return (max(rounds) - min(rounds)) / row["perSecond"] / 2


def table(title, rows, base):
    """Prints rows; the ratio is that to the row named `base` with as many in flight."""
    bases = {row["in_flight"]: row["perSecond"] for row in rows if row["what"] == base}
    print(f"{title:28} {'in flight':>9} {'per second':>12} {'±':>5} {'p50':>10} {'p99':>10} {'p99.9':>10} "
          f"{'ratio':>6}")
    for row in rows:
        row["ratio"] = round(row["perSecond"] / bases[row["in_flight"]], 4)
        print(f"{row['what']:28} {row['in_flight']:>9} {row['perSecond']:>12,.0f} {spread(row):>5.0%} "
              f"{row['p50']:>7,.0f} µs {row['p99']:>7,.0f} µs {row['p999']:>7,.0f} µs {row['ratio']:>6.3f}")
