"""The order as its journal has it, read by sqlite3 and by Protocols/8-JOURNAL.md alone."""

import collections
import re
import sqlite3

REASONS = {"poison": 1, "undecodable": 2, "unavailable": 3, "runaway": 4, "skipped": 5, "too-large": 6}
WORD = (1 << 64) - 1

Record = collections.namedtuple("Record", "sequence path payload origin correlation reason")


class Chain:
    def __init__(self):
        self.value = 0

    def mix(self, *words):
        value = self.value
        for word in words:
            word &= WORD
            product = (value ^ 0x9E3779B97F4A7C15 ^ word) * (
                0xBF58476D1CE4E5B9 ^ (word << 32 & WORD | word >> 32))
            turned = value << 17 & WORD | value >> 47
            value = (product >> 64 ^ product & WORD ^ turned) + word & WORD
        self.value = value

    def mix_bytes(self, data):
        whole = len(data) & ~7
        words = [int.from_bytes(data[at:at + 8], "little") for at in range(0, whole, 8)]
        self.mix(len(data), *words, int.from_bytes(data[whole:], "big"))

    def mix_effect(self, text):
        sequence, path, index = re.fullmatch(r"(\d+)(/.*)#(\d+)", text).groups()
        self.mix(int(sequence))
        self.mix_bytes(path.encode())
        self.mix(int(index))

    def mix_origin(self, origin):
        word, *rest = origin.split(" ", 2)
        if word == "initial":
            self.mix(1)
        elif word in ("client", "send"):
            self.mix(2 if word == "client" else 3, *map(int, rest))
        elif word in ("output", "final"):
            self.mix(4 if word == "output" else 5)
            self.mix_effect(rest[1])
            self.mix(int(rest[0]))
        elif word in ("end", "retry"):
            self.mix(6 if word == "end" else 8)
            self.mix_effect(rest[0])
        else:
            self.mix(7)
            self.mix_effect(rest[1])
            self.mix(int(rest[0]))


class Journal:
    """`problems` says what no journal may have."""

    def __init__(self, path):
        self.records, self.starts, self.problems = [], [], []
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            self.problems.append("SQLite finds damage")
        self.meta = dict(database.execute("SELECT key, value FROM meta"))
        self.position, self.chain = 0, Chain()
        for row in database.execute(
                "SELECT position, kind, sequence, path, CAST(payload AS BLOB), origin, now, seed, "
                "correlation, reason, hash FROM entries ORDER BY position"):
            self.take(*row)
        database.close()
        if int(self.meta.get("tail", self.position)) != self.position:
            self.problems.append(f"it ends at {self.position} instead of {self.meta['tail']} (J-6)")

    def take(self, position, kind, sequence, path, payload, origin, now, seed, correlation, reason,
             code):
        if position != self.position + 1:
            self.problems.append(f"position {position} behind {self.position}")
        self.position = position
        chain = self.chain
        if kind == "start":
            chain.mix(1, sequence, now)
            if self.starts and sequence <= self.starts[-1]:
                self.problems.append(f"start {sequence} behind {self.starts[-1]} (J-2)")
            self.starts.append(sequence)
        elif kind == "record":
            chain.mix(2, sequence)
            chain.mix_bytes(path.encode())
            chain.mix_bytes(payload)
            chain.mix(now, seed)
            chain.mix_origin(origin)
            chain.mix(correlation)
            if sequence != len(self.records):
                self.problems.append(f"record {sequence} stands at {len(self.records)} (J-4)")
            self.records.append(Record(sequence, path, payload, origin, correlation, None))
        elif kind == "mark":
            chain.mix(3, sequence, REASONS[reason])
            if sequence >= len(self.records) or self.records[sequence].reason:
                self.problems.append(f"a mark for {sequence}")
            else:
                self.records[sequence] = self.records[sequence]._replace(reason=reason)
        elif kind == "build":
            chain.mix(5, sequence)
            chain.mix_bytes(path.encode())
            chain.mix(int(reason, 16))
        else:
            chain.mix(4, sequence)
            chain.mix_bytes(payload)
        if chain.value != code & WORD and len(self.problems) < 10:
            self.problems.append(f"the hash at {position} does not fit (J-5)")
            chain.value = code & WORD
