"""Random frames from a router at the sockets of features, workers, clients and taps."""

import os
import subprocess
import time

import zmq

import penstock_codec as codec
import penstock_peer as peer
from judging import check
from random_frames import Frames
from running_system import binary

# With these a process or a command ends by its own will.
CODES = range(8)


def plausible(state):
    """What the router could say to the feature /left, a worker and a client of `pair`."""
    def order(verb, sequence, body=None, path=None, flags=0):
        return codec.message(verb, body, path, flags=flags, sequence=sequence, epoch=[1, 0])
    value = peer.hexadecimal(state)
    for sequence in range(1, 9):
        for flags, action in [(4, {"add": sequence}), (5, {"bump": 1}), (6, "tick"), (4, "forget"),
                              (4, {"ask": {"_0": sequence, "milliseconds": 1}})]:
            payload = peer.hexadecimal(action)
            yield order(37, sequence, {"now": 5, "seed": 6, "payload": payload}, "/left", flags)
        for verb in (39, 40, 41):
            yield order(verb, sequence)
        yield order(38, sequence, {"id": sequence, "since": sequence - 1}, flags=sequence % 2)
        patch = [{"op": "set", "path": ["sum"], "value": peer.hexadecimal(sequence)}]
        yield order(36, sequence, {"patch": patch})
        effect = {"effect": [sequence, 0], "attempt": [1, 1], "path": "/left"}
        policy = {"queue": "default", "attempts": 2, "initial": 1, "maximum": 2, "timeout": None,
                  "heartbeat": None}
        yield codec.message(64, {
            "next": 0, "operation": "Echo", "policy": policy, "cursor": "",
            "input": peer.hexadecimal({"number": 5, "milliseconds": 1})}, **effect)
        for verb, body in [(65, {}), (66, {"index": 0}), (67, {})]:
            yield codec.message(verb, body, **effect)
        yield codec.message(peer.STATE, {
            "subscription": 1, "state": {"kind": 2, "from": sequence, "patch": patch}},
            sequence=sequence + 1)
    for verb in (32, 34):
        yield order(verb, 1, {"state": value}, flags=1)
    yield order(35, 2)
    yield codec.message(33, {"now": 5, "seed": 6})
    yield codec.message(peer.STATE, {"subscription": 1, "state": {"kind": 1, "value": value}},
                        sequence=1)


class FalseRouter:
    """Takes every link and says what the true one says too, in any order, now and then broken."""

    VERBS = {peer.CLIENT: range(24, 27), peer.FEATURE: range(34, 42), peer.WORKER: range(64, 68)}

    def __init__(self, directory, generator, state):
        self.generator, self.state = generator, state
        self.frames = {}
        for role, verbs in self.VERBS.items():
            more = [message for message in plausible(state) if message["verb"] in verbs]
            self.frames[role] = Frames(generator, more * 3, verbs, 0.005)
        self.context = zmq.Context()
        self.peers = self.context.socket(zmq.ROUTER)
        self.taps = self.context.socket(zmq.XPUB)
        for socket, name in [(self.peers, "router"), (self.taps, "tap")]:
            socket.set(zmq.LINGER, 0)
            socket.bind(f"ipc://{directory}/{name}.sock")
        self.incarnation = generator.getrandbits(64) or 1
        self.links = {}

    def turn(self, milliseconds):
        end = time.monotonic() + milliseconds / 1000
        while time.monotonic() < end:
            if self.peers.poll(5):
                route, frame = self.peers.recv_multipart()
                self.answer(route, frame)
            self.publish()

    def answer(self, route, frame):
        header, messages = codec.decode(frame)
        first, role = self.links.setdefault(header["sender"], [1, None])
        link = {"flags": 0, "sender": self.incarnation, "receiver": header["sender"],
                "first": first, "acknowledged": header["first"] + len(messages) - 1,
                "credit": 5000}
        if first == 1:
            welcome = codec.message(peer.WELCOME, {"next": 1, "application": ""}, flags=1)
            reset = codec.message(32, {"state": peer.hexadecimal(self.state)}, flags=1, sequence=1,
                                  epoch=[1, 0])
            role = messages[0]["body"]["role"]
            first_ones = [welcome, reset] if role == peer.FEATURE else [welcome]
            frame = codec.join(link, [codec.encode_message(message) for message in first_ones])
            self.links[header["sender"]] = [1 + len(first_ones), role]
            self.peers.send_multipart([route, frame])
        for _ in range(self.generator.choice([0, 1, 5, 20])):
            link["first"] = self.links[header["sender"]][0]
            frame = self.frames[role].frame(link)
            try:
                self.links[header["sender"]][0] += len(codec.decode(frame)[1])
            except codec.WireError:
                pass
            self.peers.send_multipart([route, frame])

    def publish(self):
        while self.taps.poll(0):
            self.taps.recv()
        data = bytearray(b'a/left\n{"v":1,"k":"action","n":1,"seq":1,"path":"/left","type":"add"}')
        self.frames[peer.CLIENT].mutate(data)
        self.taps.send(bytes(data))

    def close(self):
        self.context.destroy(0)


def fuzz_peers(directory, state, generator, options):
    place = os.path.join(directory, "false")
    os.mkdir(place, 0o700)
    router = FalseRouter(place, generator, state)
    rounds = max(3, options.messages // 1000)
    commands = {
        "feature": [binary("pair"), "feature", "/left", "--run-dir", place],
        "worker": [binary("pair"), "worker", "--name", "w", "--run-dir", place],
        "client": [binary("penstock"), "state", "/left", "--watch", "-S", place],
        "tap": [binary("penstock"), "tap", "-S", place],
    }
    try:
        for role, command in commands.items():
            crashes = []
            for _ in range(rounds):
                process = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                router.turn(300)
                has_ended = process.poll() is not None
                process.kill()
                _, said = process.communicate()
                if has_ended and process.returncode not in CODES:
                    crashes.append(f"code {process.returncode}: {said[-2000:]}")
            check(f"{rounds} times a {role} at a false router, and none crashed", not crashes,
                  "\n".join(crashes))
    finally:
        router.close()
