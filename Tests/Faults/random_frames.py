"""Random frames, and what Protocols/1-FRAME.md says that a router makes of them."""

import copy
import json
import os
import struct

import penstock_codec as codec
from penstock_link import FIRST_CREDIT, REJECT, RESET, START

VECTORS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "Protocols",
                       "vectors", "frames.json")
CODES = ("malformed", "unknown-version", "too-large")


class Frames:
    """Messages are those of the golden vectors with some fields changed; bytes change after that."""

    def __init__(self, generator, more=(), verbs=range(256), brokenness=0.7):
        self.generator, self.brokenness = generator, brokenness
        with open(VECTORS) as file:
            self.messages = [m for vector in json.load(file) for m in vector["messages"]
                             if m["verb"] in verbs]
        self.messages += more
        self.encoded = []

    def message(self):
        """An encoded one; often one that there was before."""
        if len(self.encoded) >= 2000:
            return self.generator.choice(self.encoded)
        self.encoded.append(self.new_message())
        return self.encoded[-1]

    def new_message(self):
        while True:
            message = copy.deepcopy(self.generator.choice(self.messages))
            try:
                data = codec.encode_message(self.changed(message))
            except (struct.error, ValueError, TypeError, KeyError):
                continue
            try:
                codec.decode_message(codec.Reader(data))
            except codec.WireError:
                if self.generator.random() > self.brokenness:
                    continue
            return data

    def changed(self, value):
        generator = self.generator
        if isinstance(value, dict):
            fixed = ("verb", "format", "op", "kind")
            return {k: v if k in fixed else self.changed(v) for k, v in value.items()}
        if isinstance(value, list):
            values = [self.changed(element) for element in value]
            return values * 2 if values and generator.random() < 0.02 else values
        if value is None or isinstance(value, bool) or generator.random() > 0.1:
            return value
        if isinstance(value, int):
            return generator.choice([0, 1, value + 1, *map(generator.getrandbits, (8, 32, 64))])
        return generator.choice(["", "/", "/left", "x" * 1500, value + "%", value + "\u65e5", "7b7d"])

    def frame(self, link):
        """A frame of a few messages, broken at some place or not."""
        count = self.generator.choice([0, 1, 1, 1, 2, 3])
        data = bytearray(codec.join(link, [self.message() for _ in range(count)]))
        if self.generator.random() < self.brokenness:
            self.mutate(data)
            if self.generator.random() < 0.7:
                # So that what is behind the first check is reached.
                data[:3] = b"PS\1"
                data[4:8] = struct.pack("<I", len(data))
        return bytes(data)

    def mutate(self, data):
        generator = self.generator
        for _ in range(generator.choice([1, 1, 2, 5])):
            at = generator.randrange(len(data)) if data else 0
            size = generator.choice([1, 1, 2, 8])
            kind = generator.randrange(6)
            if kind == 0:
                data[at:at + size] = generator.randbytes(min(size, len(data) - at))
            elif kind == 1 and data:
                data[at] ^= 1 << generator.randrange(8)
            elif kind == 2:
                del data[at:at + size]
            elif kind == 3:
                data[at:at] = generator.randbytes(size)
            elif kind == 4:
                data[at:at + size] = generator.choice([b"\0", b"\xff"]) * min(size, len(data) - at)
            else:
                del data[at:]


class ExpectedRouter:
    """The router's table of links: who takes a frame, and as what it is counted. Nobody here has learnt
    the router's incarnation."""

    def __init__(self):
        self.links, self.processes, self.ended = {}, {}, set()

    def take(self, frame):
        """One of CODES, `stale`, or `taken`."""
        try:
            header, count = codec.decode_header(frame)
        except codec.WireError as error:
            return self.counted(error)
        if header["flags"] & (RESET | REJECT):
            return "malformed"
        sender = header["sender"]
        is_start = header["flags"] & START and header["receiver"] == 0
        if not is_start or sender in self.ended:
            return "stale"
        if sender not in self.links:
            process = sender >> 24
            older = self.processes.get(process)
            if older is not None and older > sender:
                return "stale"
            if older is not None:
                self.end(older)
            self.links[sender], self.processes[process] = set(), sender
        try:
            self.take_messages(self.links[sender], header, count, frame)
        except codec.WireError as error:
            self.end(sender)
            return self.counted(error)
        return "taken"

    def take_messages(self, received, header, count, frame):
        # It may have sent a few itself, and its credit may have grown: frames keep off what depends on
        # that (see `settle`).
        if header["acknowledged"] > 0:
            raise codec.malformed("acknowledged what was never sent")
        if count == 0:
            return
        sequences = range(header["first"], header["first"] + count)
        if sequences.start == 0 or sequences.stop - 1 > FIRST_CREDIT:
            raise codec.malformed("beyond the credit")
        if all(sequence in received for sequence in range(1, sequences.stop)):
            return
        codec.decode(frame)
        received.update(sequences)

    def end(self, sender):
        del self.links[sender]
        del self.processes[sender >> 24]
        self.ended.add(sender)

    @staticmethod
    def counted(error):
        return error.code if error.code in CODES else "malformed"


def settle(frame):
    """What a link makes of such a frame does not depend on what the router has sent meanwhile."""
    if len(frame) < codec.LINK.size:
        return frame
    data = bytearray(frame)
    first, acknowledged = struct.unpack_from("<QQ", data, 24)
    count, = struct.unpack_from("<H", data, 48)
    if acknowledged <= 4096:
        struct.pack_into("<Q", data, 32, 0)
    if FIRST_CREDIT - count <= first <= 4096:
        struct.pack_into("<Q", data, 24, 2)
    return bytes(data)
