#!/usr/bin/env python3
"""Writes the lists of client actions that `penstock compare` plays. Run once; the lists are kept.

A line is {"path": PATH, "payload": ACTION, "after_ms": N}: sent N milliseconds after the one before
(from 100 on: after all before it are settled). The first line says what must happen at least, whatever
the machine. Nothing has to listen anywhere: a fact or a probe that finds nobody fails, and the failure
is an output too.
"""
import json
import os
import random

here = os.path.dirname(os.path.abspath(__file__))


def write(name, minimum, actions):
    with open(os.path.join(here, f"{name}.actions.jsonl"), "w") as file:
        file.write(json.dumps({"minimum": minimum}, separators=(",", ":")) + "\n")
        for path, payload, after in actions:
            line = {"path": path, "payload": payload, "after_ms": after}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def facts():
    """Both counters ask for a fact and get it: a failed attempt is made again after half a second."""
    yield "/left", "askFact", 0
    yield "/right", "askFact", 0
    yield "/left", "increment", 800


def counter_resets(random):
    """Both counters are used at once while the parent resets them again and again."""
    for index in range(4000):
        if index % 500 == 0:
            yield from facts()
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
        if index % 250 == 0:
            yield from facts()
        side = random.choice(["/left", "/right"])
        action = random.choices(
            ["askFact", "cancelFact", "increment", "reset", {"nonsense": index}],
            [35, 25, 30, 5, 5])[0]
        yield side, action, random.choice([0, 1, 2])
        if random.random() < 0.01:
            yield "/", "resetAll", 0


def target(name, random, interval=None):
    # Nothing listens on port 9, so a probe fails at once and the target goes down.
    return {
        "url": "http://127.0.0.1:9/", "name": name,
        "interval": interval or random.choice([100, 200, 300]),
        "failuresUntilDown": random.choice([1, 2, 3]),
    }


def uptime_churn(random):
    """Targets come and go while they are probed; settings and alerts change meanwhile."""
    names = [f"target-{number}" for number in range(30)]
    present = set()
    for index in range(3000):
        # Time for probes, which are tried three times.
        pause = 600 if index % 200 == 199 else 0
        choice = random.random()
        name = random.choice(names)
        if choice < 0.30:
            present.add(name)
            yield "/targets", {"add": target(name, random)}, pause + random.choice([0, 1, 2])
        elif choice < 0.55 and present:
            name = random.choice(sorted(present))
            present.discard(name)
            yield "/targets", {"remove": name}, pause + random.choice([0, 1])
        elif choice < 0.67:
            yield "/settings", {"setInterval": random.choice([200, 500, 1000])}, pause
        elif choice < 0.82:
            yield "/alerts", random.choice([{"acknowledge": name}, "remind"]), pause
        elif choice < 0.95:
            yield f"/targets/rows/{name}", "probe", pause + random.choice([0, 1])
        elif choice < 0.97:
            yield "/targets", {"nonsense": index}, pause
        else:
            yield "/", "clearIncidents", pause
    # What stays is probed seldom, so that the system comes to rest.
    for name in names[8:]:
        yield "/targets", {"remove": name}, 0
    for name in names[:8]:
        yield "/targets", {"add": target(name, random, 60_000)}, 0


def uptime_bursts(random):
    """Many targets at once, and all of them gone again while their probes are on their way."""
    for burst in range(20):
        names = [f"burst-{burst}-{number}" for number in range(40)]
        yield "/targets", {"load": [target(name, random) for name in names]}, 20
        for name in names:
            yield f"/targets/rows/{name}", "probe", random.choice([0, 0, 1])
            if random.random() < 0.2:
                yield "/settings", {"setInterval": random.choice([200, 500, 1000])}, 0
            if random.random() < 0.3:
                yield "/alerts", {"acknowledge": name}, 0
        random.shuffle(names)
        for index, name in enumerate(names):
            # Time for the probes of this burst; then all go at once, and the alerts with the last.
            yield "/targets", {"remove": name}, 700 if index == 0 else 0
            if random.random() < 0.3:
                yield "/alerts", "remind", 0
        # Void on every machine; what else is void depends on which process is how far.
        yield "/targets", {"nonsense": burst}, 0
    yield "/targets", {"load": [target(f"last-{n}", random, 60_000) for n in range(10)]}, 0


def presented(action):
    return {"presented": action}


def element(id, action):
    return {"element": {"id": id, "action": action}}


def login_visits(random):
    """Somebody comes in and leaves again, in the middle of what they asked for too."""
    people = [("ada@example.org", "engine"), ("grace@example.org", "compiler"), ("eve@", "guess")]
    for visit in range(150):
        email, password = random.choice(people)
        yield "/", "enter", random.choice([0, 1, 20])
        for field, value in [("email", email), ("password", password)]:
            yield "/", {"login": presented({"binding": {field: value}})}, 0
        # Time for the answer, now and then.
        yield "/", {"login": presented("submit")}, 0
        if random.random() < 0.3:
            yield "/", "leave", random.choice([0, 1])
            continue
        for _ in range(random.randint(1, 4)):
            yield "/", {"login": presented({"binding": {"email": email}})}, random.choice([0, 1, 10])
        code = {"code": presented({"binding": {"code": random.choice(["1234", "1"])}})}
        yield "/", {"login": presented(code)}, 120
        yield "/", {"login": presented({"code": presented("submit")})}, 0
        if random.random() < 0.2:
            yield "/", {"login": presented({"code": presented("cancel")})}, random.choice([0, 1])
        yield "/", random.choice(["signOut", "leave", {"login": "dismiss"}]), 120
        if random.random() < 0.1:
            yield "/", {"nonsense": visit}, 0


def peripheral_links(random):
    """Two devices are connected, lost, given up and chosen anew."""
    for index in range(500):
        side = random.choice(["left", "right"])
        yield random.choice([
            (f"/{side}", "connect", random.choice([0, 1, 5])),
            (f"/{side}", "disconnect", random.choice([0, 1, 60])),
            (f"/{side}", {"choose": f"{side}-{random.randint(0, 4)}"}, 0),
            ("/", random.choice(["connectBoth", "disconnectBoth"]), random.choice([0, 1])),
        ])
        if index % 100 == 99:
            yield "/", "connectBoth", 400
            yield f"/{side}", {"nonsense": index}, 0
    yield "/", "disconnectBoth", 500


def tictactoe_games(random):
    """Ada and Grace play, sign out and in, and try what is no move."""
    def sign_in():
        for field, value in [("email", "ada@example.org"), ("password", "engine")]:
            yield "/", {"login": {"binding": {field: value}}}, 0
        yield "/", {"login": "submit"}, 0
        yield "/", {"games": {"binding": {"o": "Grace"}}}, 150

    for evening in range(12):
        yield from sign_in()
        for _ in range(8):
            yield "/", {"games": "start"}, 0
            for _ in range(random.randint(5, 14)):
                move = {"game": presented({"play": random.randint(0, 9)})}
                yield "/", {"games": move}, random.choice([0, 0, 1])
            end = random.choice(["again", "quit", "quit"])
            yield "/", {"games": {"game": presented(end)}}, 0
        yield "/", {"games": "signOut"}, random.choice([0, 1])
        yield "/", {"games": "start"}, 0
        yield "/", {"nonsense": evening}, 0


def todos_lists(random):
    """Rows are added, done, moved and cleared while the sorting waits for a quiet second."""
    for index in range(1500):
        id = random.randint(1, 200)
        yield "/", random.choice([
            {"add": f"task {index}"}, {"add": f"task {index}"}, {"rows": element(id, "toggle")},
            {"rows": element(id, "toggle")},
            {"rows": element(id, {"binding": {"text": f"text {index}"}})},
            {"move": {"id": id, "to": random.randint(0, 50)}}, {"delete": [id]},
            {"filter": random.choice(["all", "active", "done"])},
        ]), random.choice([0, 0, 1])
        if index % 300 == 299:
            yield "/", "clearDone", 1200
            yield "/", {"nonsense": index}, 0


def meetings_days(random):
    """Meetings are written, recorded, ended and deleted on a path of screens."""
    top = 0
    for day in range(12):
        yield "/", "add", 0
        for change in [{"setTitle": f"day {day}"}, {"addAttendee": "Ada"}, {"addAttendee": "Grace"},
                       {"setDuration": random.choice([1, 2, 600])}]:
            yield "/", {"new": presented(change)}, 0
        yield "/", {"new": presented("save")}, 0
        yield "/", {"open": day + 1}, 0
        detail, record = top, top + 1
        top += 2
        yield "/", {"path": element(detail, {"detail": "edit"})}, 0
        edit = {"edit": {"setTitle": f"day {day}, again"}}
        yield "/", {"path": element(detail, {"detail": {"destination": presented(edit)}})}, 0
        save = {"destination": presented({"edit": "save"})}
        yield "/", {"path": element(detail, {"detail": save})}, 0
        yield "/", {"path": element(detail, {"detail": "record"})}, 0
        yield "/", {"path": element(record, {"recording": "start"})}, 0
        for _ in range(6):
            yield "/", {"path": element(record, {"recording": "nextSpeaker"})}, 60
            yield "/", {"path": element(record, {"recording": {"alert": "dismiss"}})}, 0
        if day % 4 == 0:
            # Time for the clock.
            yield "/", {"open": 99}, 1_100
        yield "/", {"path": element(record, {"recording": "end"})}, 0
        answer = random.choice(["save", "discard"])
        alert = {"alert": presented(answer)}
        yield "/", {"path": element(record, {"recording": alert})}, random.choice([0, 150])
        if random.random() < 0.3:
            yield "/", {"path": element(detail, {"detail": "delete"})}, 0
            gone = {"destination": presented({"alert": "delete"})}
            yield "/", {"path": element(detail, {"detail": gone})}, 0
        yield "/", {"path": {"popFrom": {"id": detail}}}, random.choice([0, 120])
        yield "/", {"nonsense": day}, 0


for name, actions, minimum in [
    ("counter-resets", counter_resets, {"sends": 900, "outputs": 8, "squashes": 20}),
    ("counter-facts", counter_facts, {"outputs": 12, "squashes": 5, "voids": 100}),
    ("uptime-churn", uptime_churn,
     {"sends": 2000, "outputs": 40, "timers": 20, "squashes": 50, "unmounts": 1, "voids": 20}),
    ("uptime-bursts", uptime_bursts,
     {"sends": 2000, "outputs": 400, "timers": 20, "squashes": 20, "voids": 20}),
    ("login-visits", login_visits, {"sends": 20, "outputs": 40, "squashes": 20, "voids": 8}),
    ("peripheral-links", peripheral_links,
     {"sends": 100, "outputs": 60, "timers": 15, "squashes": 5, "voids": 5}),
    ("tictactoe-games", tictactoe_games,
     {"sends": 50, "outputs": 12, "squashes": 10, "voids": 12}),
    ("todos-lists", todos_lists, {"timers": 5, "voids": 5}),
    ("meetings-days", meetings_days,
     {"sends": 20, "outputs": 50, "timers": 1, "squashes": 5, "voids": 12}),
]:
    write(name, minimum, actions(random.Random(name)))
