#!/usr/bin/env python3
"""Writes the lists of client actions that `penstock compare` plays. Run once; the lists are kept.

A line is {"path": PATH, "payload": ACTION, "after_ms": N}: sent N milliseconds after the one before.
"""
import json
import os
import random

here = os.path.dirname(os.path.abspath(__file__))


def write(name, actions):
    with open(os.path.join(here, f"{name}.actions.jsonl"), "w") as file:
        for path, payload, after in actions:
            line = {"path": path, "payload": payload, "after_ms": after}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def counter_resets(random):
    """Both counters are used at once while the parent resets them again and again."""
    for _ in range(4000):
        side = random.choice(["/left", "/right"])
        action = random.choices(
            ["increment", "decrement", "incrementTwice", "reset", "askFact", "cancelFact"],
            [40, 25, 25, 3, 4, 3])[0]
        if random.random() < 0.04:
            yield "/", "resetAll", 0
        else:
            yield side, action, random.choice([0, 0, 0, 1])


def counter_facts(random):
    """Facts are asked for, cancelled and overtaken; some actions are none."""
    for index in range(3000):
        side = random.choice(["/left", "/right"])
        action = random.choices(
            ["askFact", "cancelFact", "increment", "reset", {"nonsense": index}],
            [35, 25, 30, 5, 5])[0]
        yield side, action, random.choice([0, 1, 2])
        if random.random() < 0.01:
            yield "/", "resetAll", 0


def target(name, random):
    # Nothing listens on port 9, so a probe fails at once and the target goes down.
    return {
        "url": "http://127.0.0.1:9/", "name": name, "interval": random.choice([100, 200, 300]),
        "failuresUntilDown": random.choice([1, 2, 3]),
    }


def uptime_churn(random):
    """Targets come and go while they are probed; settings and alerts change meanwhile."""
    names = [f"target-{number}" for number in range(30)]
    present = set()
    for index in range(3000):
        choice = random.random()
        name = random.choice(names)
        if choice < 0.30:
            present.add(name)
            yield "/targets", {"add": target(name, random)}, random.choice([1, 2, 3])
        elif choice < 0.58 and present:
            name = random.choice(sorted(present))
            present.discard(name)
            yield "/targets", {"remove": name}, random.choice([0, 1, 2])
        elif choice < 0.70:
            yield "/settings", {"setInterval": random.choice([200, 500, 1000])}, 0
        elif choice < 0.85:
            yield "/alerts", random.choice([{"acknowledge": name}, "remind"]), random.choice([0, 1])
        elif choice < 0.95:
            yield f"/targets/rows/{name}", "probe", random.choice([0, 1])
        elif choice < 0.97:
            yield "/targets", {"nonsense": index}, 0
        else:
            yield "/", "clearIncidents", 0
    for name in sorted(present):
        yield "/targets", {"remove": name}, 0


def uptime_bursts(random):
    """Many targets at once, and all of them gone again while their probes are on their way."""
    for round_ in range(20):
        names = [f"burst-{round_}-{number}" for number in range(40)]
        yield "/targets", {"load": [target(name, random) for name in names]}, 20
        for name in names:
            yield f"/targets/rows/{name}", "probe", random.choice([0, 0, 1])
            if random.random() < 0.2:
                yield "/settings", {"setInterval": random.choice([200, 500, 1000])}, 0
            if random.random() < 0.3:
                yield "/alerts", {"acknowledge": name}, 0
        random.shuffle(names)
        for name in names:
            yield "/targets", {"remove": name}, random.choice([0, 0, 1, 2])


for name, actions in [
    ("counter-resets", counter_resets), ("counter-facts", counter_facts),
    ("uptime-churn", uptime_churn), ("uptime-bursts", uptime_bursts),
]:
    write(name, actions(random.Random(name)))
