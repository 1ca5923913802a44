"""Who uses the system meanwhile: clients with ids of their own, a tap that is captured, a subscriber."""

import os
import signal
import subprocess
import threading
import time

from load import Client
from penstock_peer import Client as Peer
from running_system import binary

# So many actions of a client have different numbers.
SHARE = 10_000_000


def bump(base):
    return lambda number: {"bump": base + number}


def add(base):
    return lambda number: {"add": base + number}


def ask(base):
    return lambda number: {"ask": {"_0": base + number, "milliseconds": 30}}


class Clients:
    KINDS = [(bump, 150), (add, 10), (ask, 10)]

    def __init__(self, system, directory):
        self.system, self.directory = system, directory
        self.all, self.running = [], []
        for side in ("/left", "/right"):
            for make, rate in self.KINDS:
                self.running.append(self.start(side, make, rate))

    def start(self, path, make, rate, **options):
        base = (len(self.all) + 1) * SHARE
        client = Client(self.system, self.directory, f"client-{len(self.all) + 1}", path, make(base),
                        per_second=rate, **options)
        client.path, client.make, client.was_killed = path, make, False
        self.all.append(client)
        return client

    def replace(self, place):
        """Kills one; another one begins."""
        client = self.running[place]
        client.was_killed = True
        client.is_over.set()
        client.process.kill()
        client.process.wait()
        self.running[place] = self.start(client.path, client.make, client.per_second)

    def burst(self, seconds):
        """As fast as it goes: more than sockets keep for a tap, if there is time for it."""
        client = self.start("/right", bump, None, in_flight=256, limit=30_000)
        client.writer.join(seconds)
        client.finish()

    def finish(self):
        for client in self.running:
            client.is_over.set()
        for client in self.running:
            client.finish()


class Tap:
    def __init__(self, system, directory):
        self.path = os.path.join(directory, "tap.jsonl")
        with open(self.path, "w") as file:
            self.process = subprocess.Popen(
                [binary("penstock"), "tap", "--json", "-S", system.run], stdout=file,
                stderr=subprocess.DEVNULL)

    def finish(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


class Subscriber(threading.Thread):
    """Follows the whole state, and notes of each cut what can be said in a few numbers."""

    def __init__(self, system):
        super().__init__(daemon=True)
        self.endpoint = f"ipc://{system.run}/router.sock"
        self.cuts, self.pause, self.is_over, self.error = [], 0, threading.Event(), None

    def run(self):
        try:
            self.follow(Peer(self.endpoint, name="subscriber"))
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"

    def follow(self, client):
        identifier, seen = client.follow("/"), 0
        while not self.is_over.is_set():
            client.turn(0.1)
            mirror = client.mirrors[identifier]
            if mirror["updates"] != seen and mirror["state"]:
                seen = mirror["updates"]
                self.cuts.append((mirror["asOf"], summary(mirror["state"])))
            if self.pause:
                pause, self.pause = self.pause, 0
                time.sleep(pause)
        client.close()

    def finish(self):
        self.is_over.set()
        self.join()


def summary(state):
    sides = [state["left"], state["right"]]
    return (state["total"], *[(side["sum"], side["pending"], len(side["numbers"]),
                               len(side["answers"])) for side in sides])
