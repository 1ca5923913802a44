"""Random frames at the sockets of a running system: what it counts adds up to what was sent, it goes on,
and what it holds does not grow."""

import contextlib
import os
import random
import struct
import time

import zmq

import penstock_codec as codec
import penstock_peer as peer
import raw_zmtp
from fuzz_peers import fuzz_peers
from judging import check, text_of, within
from judging_pair import judge
from load import Client, adder
from penstock_link import REJECT, START
from random_frames import CODES, ExpectedRouter, Frames, settle
from running_system import System

# What the router may hold more after the second half than after the first.
GROWTH = 8 << 20


class Fuzzer:
    def __init__(self, system, generator):
        self.system, self.generator = system, generator
        with self.asking() as control:
            self.described = control.request("describe")
        self.expected = dict.fromkeys([*CODES, "stale"], 0)
        self.context = zmq.Context()
        self.frames = Frames(generator, self.questions())
        self.begin()

    def asking(self):
        return contextlib.closing(peer.Client(f"ipc://{self.system.run}/router.sock"))

    def begin(self):
        with self.asking() as control:
            self.start = control.request("ps")["links"]
        self.expected = dict.fromkeys(self.expected, 0)

    def questions(self):
        """What the system knows, for the random frames to begin with."""
        bodies = [("ps", {}), ("ready", {"workers": 3}), ("describe", {}), ("effects", {}),
                  ("trace", {"seq": 5}), ("pending", {}), ("nonsense", {})]
        for request, body in bodies:
            yield codec.message(peer.REQUEST, {
                "id": 7, "request": request, "body": peer.hexadecimal(body)})
        for path in ["/", "/left", "/left/numbers/1"]:
            yield codec.message(peer.SUBSCRIBE, {"id": 8}, path)
        for sequence in [1, 2]:
            yield codec.message(peer.SUBMIT, {
                "clientSequence": sequence, "payload": peer.hexadecimal("forget")}, "/left")

    def adds_up(self, what, refused=None):
        """Waits until the router's counters are what was sent, and looks that they stay there."""
        wanted = {**self.expected, **({} if refused is None else {"refused": refused})}
        gains = {}

        def is_so():
            now = control.request("ps")["links"]
            gains.update({name: now[name] - self.start[name] for name in now})
            return all(gains[name] == count for name, count in wanted.items())
        with self.asking() as control:
            control.until(is_so, 15)
            control.until(lambda: False, 0.3)
            check(f"{what}: the counters add up to {sum(wanted.values()):,}", is_so(),
                  f"expected {wanted}\ncounted  {gains}")
        # A difference is told once.
        self.begin()

    # The phases

    def dealer(self):
        socket = self.context.socket(zmq.DEALER)
        socket.set(zmq.LINGER, 5000)
        socket.set(zmq.SNDHWM, 0)
        socket.set(zmq.RCVHWM, 0)
        socket.connect(f"ipc://{self.system.run}/router.sock")
        return socket

    def link(self, receiver=0):
        generator = self.generator
        return {"flags": START, "sender": (generator.getrandbits(40) or 1) << 24,
                "receiver": receiver, "first": 1, "acknowledged": 0, "credit": 64}

    def take(self, router, frame):
        fate = router.take(frame)
        if fate != "taken":
            self.expected[fate] += 1

    def without_links(self, count):
        """Each frame is the first of a process that nobody knows."""
        generator, router = self.generator, ExpectedRouter()
        socket, refused = self.dealer(), set()
        for number in range(count):
            link = self.link(generator.choice([0, 0, 0, generator.getrandbits(64)]))
            link["flags"] = generator.choice([START] * 4 + [0, generator.randrange(16)])
            link["first"] = generator.choice([1, 1, 1, 2, 70])
            frame = self.frames.frame(link)
            self.take(router, frame)
            socket.send(frame)
            if number % 64 == 0:
                refusals(socket, refused)
        # What it refused it says until it is acknowledged, or the link is given up.
        within(2.5, lambda: refusals(socket, refused) < 0)
        socket.close()
        self.adds_up(f"{count:,} frames of unknown processes", len(refused))

    def of_several_parts(self, count):
        socket = self.dealer()
        for number in range(count):
            parts = [self.frames.frame(self.link()) for _ in range(self.generator.choice([2, 3, 9]))]
            socket.send_multipart(parts)
        self.expected["malformed"] += count
        # None at all is a message too.
        socket.send(b"")
        self.expected["malformed"] += 1
        socket.close()
        self.adds_up(f"{count + 1:,} messages that are no single frame")

    def hello(self, role):
        fields = {"role": role, "session": self.generator.getrandbits(64), "process": os.getpid(),
                  "schema": int(self.described["schema"], 16), "slots": 4, "name": "fuzz",
                  "application": self.described["application"], "build": "", "queues": ["fuzz"],
                  "description": peer.hexadecimal({"operations": []}), "running": []}
        return codec.encode_message(codec.message(peer.HELLO, fields))

    def within_links(self, role, count):
        """A link that begins in order, then one frame more, and after a rejection another one."""
        router, socket = ExpectedRouter(), self.dealer()
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        for number in range(count):
            link = self.link()
            frames = [codec.join(link, [self.hello(role)])]
            link["first"] = self.generator.choice([2, 2, 2, 3, 60])
            frames.append(settle(self.frames.frame(link)))
            for frame in frames:
                self.take(router, frame)
            if link["sender"] in router.ended:
                self.take(router, frames[0])
                frames.append(frames[0])
            # At once: a link that is not heard for two seconds is none any more.
            for frame in frames:
                socket.send(frame)
            if number % 16 == 0:
                refusals(socket, set())
        socket.close()
        self.adds_up(f"{count:,} links of the role {role}")

    def at_the_tap(self, count):
        """What is no subscription is counted; subscriptions are not, and end with their socket."""
        generator = self.generator
        socket = self.context.socket(zmq.XSUB)
        socket.set(zmq.LINGER, 5000)
        socket.set(zmq.SNDHWM, 0)
        socket.connect(f"ipc://{self.system.run}/tap.sock")
        strays = 0
        for number in range(count):
            data = generator.randbytes(generator.choice([1, 2, 60, 70, 250, 300, 5000]))
            first = generator.choice([b"\0", b"\1", bytes([generator.randrange(2, 256)])])
            if first > b"\1" and generator.random() < 0.1:
                socket.send_multipart([first + data, data])
                strays += 1
            else:
                socket.send(first + data)
                strays += first > b"\1"
            if number % 64 == 0:
                while socket.poll(0):
                    socket.recv()
        self.expected["malformed"] += strays
        self.adds_up(f"{count:,} messages to the tap's socket")
        socket.close()

    def below_zmtp(self, count):
        """Bytes that are no ZMTP, and then ZMTP whose messages are no frames."""
        generator, run = self.generator, self.system.run
        held = []
        for number in range(count):
            name, kind = generator.choice([("router", b"DEALER"), ("tap", b"SUB")])
            held.append(raw_zmtp.garbage(f"{run}/{name}.sock", generator, kind))
            if len(held) > 50:
                held.pop(generator.randrange(len(held))).close()
        for connection in held:
            connection.close()
        time.sleep(0.5)
        # Some of it was a message of ZMTP 1.0.
        self.begin()
        sent = 0
        for number in range(count // 10 + 1):
            connection = raw_zmtp.Connection(f"{run}/router.sock")
            connection.shake_hands(b"DEALER")
            for _ in range(20):
                parts = [raw_zmtp.part(generator.randbytes(generator.randrange(300)), True)
                         for _ in range(generator.choice([0, 0, 1, 3]))]
                connection.send(b"".join(parts) + raw_zmtp.part(b"x" + generator.randbytes(100)))
                sent += 1
            connection.send(raw_zmtp.part(b"P" * 300)[:generator.randrange(308)])
            connection.close()
        self.expected["malformed"] += sent
        self.adds_up(f"{count:,} connections of raw bytes, {sent:,} messages over others")

    def as_a_feature(self, count):
        """Each takes the place of the one before (N-7), the first that of the real one."""
        socket = self.dealer()
        schema, application = int(self.described["schema"], 16), self.described["application"]
        for number in range(count):
            link = self.link()
            fields = {"role": peer.FEATURE, "session": 0, "process": 0, "schema": schema, "slots": 0,
                      "name": "/right", "application": application, "build": "", "queues": [],
                      "description": peer.hexadecimal(self.described["description"]), "running": []}
            hello = codec.message(peer.HELLO, fields)
            socket.send(codec.join(link, [codec.encode_message(hello)]))
            link["first"] = 2
            socket.send(settle(self.frames.frame(link)))
            refusals(socket, set())
        socket.close()
        with self.asking() as control:
            went = within(60, lambda: control.request("ready", workers=1)["ready"], 0.2)
        check(f"{count:,} features in the place of /right: the real one is back after {text_of(went)}",
              went is not None, self.system.logs())


    def as_a_feature_that_errs(self):
        """It does all that a feature has to do, but what it says of its state can't be."""
        description = peer.hexadecimal(self.described["description"])
        with contextlib.closing(FalseFeature(
                f"ipc://{self.system.run}/router.sock", description, name="/right",
                application=self.described["application"],
                schema=int(self.described["schema"], 16))) as feature, self.asking() as control:
            control.follow("/")
            code = None
            for _ in range(200):
                control.turn(0.01)
                try:
                    feature.turn(0.02)
                except peer.Refused as refused:
                    code = refused.code
                    break
            check("a feature whose state can't be is refused `malformed`", code == 1, code)
            went = within(60, lambda: control.request("ready", workers=1)["ready"], 0.2)
            check(f"the real one is back after {text_of(went)}", went is not None, self.system.logs())


class FalseFeature(peer.Peer):
    role = peer.FEATURE

    def __init__(self, endpoint, description, **options):
        self.description = description
        super().__init__(endpoint, **options)

    def hello(self):
        return {**super().hello(), "description": self.description}

    def received(self, message):
        if message["verb"] == 41:
            self.send(51, sequence=message["sequence"])
        elif message["verb"] == 38:
            patch = [{"op": "remove", "path": ["nonsense"]}]
            since = message["body"]["since"] or 0
            self.send(50, {"id": message["body"]["id"],
                           "state": {"kind": 2, "from": since, "patch": patch}},
                      sequence=message["sequence"], epoch=message["epoch"])


def refusals(socket, found):
    """Adds the links that were told REFUSED; the number of them."""
    while socket.poll(0):
        header, messages = codec.decode(socket.recv())
        if not header["flags"] & REJECT and any(m["verb"] == peer.REFUSED for m in messages):
            found.add(header["receiver"])
    return len(found)


def memory(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmRSS"))


def handles(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def run(directory, options):
    seed = options.seed if options.seed is not None else struct.unpack("<I", os.urandom(4))[0]
    print(f"# fuzz: seed {seed}, {options.messages:,} messages", flush=True)
    generator = random.Random(seed)
    system = System("pair", directory, "--workers", "1")
    if not system.up():
        return
    load = Client(system, directory, "adder", "/left", adder(10_000_000), per_second=50)
    pids = {name: system.pid(name) for name in system.services()}
    fuzzer = Fuzzer(system, generator)
    opened = handles(pids["router"])
    sizes = []
    for half in (1, 2):
        share = options.messages // 2
        fuzzer.without_links(share * 6 // 10)
        fuzzer.of_several_parts(share // 20)
        fuzzer.within_links(peer.CLIENT, share // 10)
        fuzzer.within_links(peer.WORKER, share // 20)
        fuzzer.at_the_tap(share // 10)
        fuzzer.below_zmtp(share // 50)
        sizes.append(memory(pids["router"]))
    check(f"the router holds {sizes[1] >> 20} MB, after the first half {sizes[0] >> 20} MB",
          sizes[1] - sizes[0] < GROWTH, sizes)
    closed = within(10, lambda: handles(pids["router"]) <= opened)
    check("and no more descriptors than before", closed is not None,
          (opened, handles(pids["router"])))
    now = {name: system.pid(name) for name in system.services()}
    check("every process is the one that it was", now == pids, (pids, now))
    fuzzer.as_a_feature(min(100, options.messages // 50 + 1))
    fuzzer.as_a_feature_that_errs()
    fuzzer.context.destroy(0)
    went = load.grows(50, 20)
    check(f"its client goes on; 50 actions took {text_of(went)}", went is not None, system.logs())
    for path in ["/left", "/right"]:
        system.send(path, {"add": 77})
    load.finish()
    judge(system, [(load, 10_000_000, "left")], [])
    ended = [line for line in system.logs().splitlines() if "ended by signal" in line]
    check("no process ended by a signal", not ended, ended)
    state = system.state("/left")
    system.down()
    fuzz_peers(directory, {**state, "numbers": {}}, generator, options)
