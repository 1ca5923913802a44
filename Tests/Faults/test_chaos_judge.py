"""The judge of Deploy/chaos finds what it is there for: a small order that is whole, and then is not."""

import contextlib
import io
import json
import os
import sqlite3
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "Python"))

import chaos_judge
from chaos_load import bump, summary
from journal import REASONS, Chain
from pair_fold import PairFold


class Scenario:
    """Two clients, a question with its answer, and a void action."""

    def __init__(self):
        self.rows = [
            ("/", {}, "initial", None), ("/left", {"bump": 101}, "client 1 1", None),
            ("/left", {"ask": {"_0": 201, "milliseconds": 30}}, "client 2 1", None),
            ("/left", {"bump": 102}, "client 1 2", None),
            ("/left", {"answered": {"success": 201}}, "final 0 2/left#0", None),
            ("/left", {"bump": 103}, "client 1 3", "unavailable"),
            ("/left", {"bump": 104}, "client 1 4", None)]
        self.logs = {"bumps": [(1, 1, "committed"), (2, 3, "committed"), (3, 5, "void"),
                               (4, 6, "committed")],
                     "asks": [(1, 2, "committed")]}
        self.tap = [(sequence, sequence) for sequence in range(1, 7)]
        self.gaps, self.lies, self.cuts = {}, {}, [1, 4, 6]
        self.is_chained = True
        self.change_state = lambda state: None

    def write_journal(self, path):
        database, chain, position = sqlite3.connect(path), Chain(), 0
        database.execute("CREATE TABLE meta(key, value)")
        database.execute("CREATE TABLE entries(position, kind, sequence, path, payload, origin, now, seed,"
                         " correlation, reason, hash)")

        def insert(*row):
            nonlocal position
            position += 1
            code = chain.value - (1 << 64) if chain.value >> 63 else chain.value
            database.execute("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?,?,?)", (position, *row, code))
        chain.mix(1, 1, 5)
        insert("start", 1, None, None, None, 5, None, None, None)
        for sequence, (node, action, origin, reason) in enumerate(self.rows):
            payload = json.dumps(action, separators=(",", ":"))
            chain.mix(2, sequence)
            chain.mix_bytes(node.encode())
            chain.mix_bytes(payload.encode())
            chain.mix(6, 7)
            chain.mix_origin(origin)
            chain.mix(8)
            if not self.is_chained and sequence == 3:
                payload = payload.replace("102", "105")
            insert("record", sequence, node, payload, origin, 6, 7, 8, None)
            if reason:
                chain.mix(3, sequence, REASONS[reason])
                insert("mark", sequence, None, None, None, None, None, None, reason)
        database.execute("INSERT INTO meta VALUES ('tail', ?)", (position,))
        database.commit()
        database.close()

    def fold(self):
        """The state at the end, and at the cuts."""
        fold, cuts = PairFold(), []
        for sequence, (node, action, origin, reason) in enumerate(self.rows):
            fold.take(types.SimpleNamespace(
                sequence=sequence, path=node, payload=json.dumps(action), origin=origin, reason=reason))
            if sequence in self.cuts:
                cuts.append((sequence, summary(fold.state)))
        return fold.state, cuts

    def failures(self):
        """Names of the checks that fail."""
        failed = []
        with tempfile.TemporaryDirectory() as directory:
            def place(name):
                return os.path.join(directory, name)
            self.write_journal(place("journal"))
            clients = []
            for name, make in [("bumps", bump(100)),
                               ("asks", lambda n: {"ask": {"_0": 200 + n, "milliseconds": 30}})]:
                with open(place(name), "w") as file:
                    for line, sequence, status in self.logs[name]:
                        print(json.dumps({"line": line, "seq": sequence, "status": status}), file=file)
                clients.append(types.SimpleNamespace(
                    name=name, log=place(name), path="/left", action=make, was_killed=False,
                    written=4 if name == "bumps" else 1))
            with open(place("tap"), "w") as file:
                for number, sequence in self.tap:
                    if number in self.gaps:
                        print(json.dumps({"k": "gap", "kind": "action", "lost": self.gaps[number]}),
                              file=file)
                    node, action, _, _ = self.rows[sequence]
                    print(json.dumps({"k": "action", "n": number, "seq": sequence, "path": node,
                                      "payload": self.lies.get(sequence, action), "epoch": [1, 0]}), file=file)
            state, cuts = self.fold()
            self.change_state(state)
            subscriber = types.SimpleNamespace(cuts=cuts, error=None)
            tap = types.SimpleNamespace(path=place("tap"))
            original = chaos_judge.check
            chaos_judge.check = lambda name, is_so, detail="": is_so or failed.append(name)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    chaos_judge.judge(place("journal"), state, clients, tap, subscriber)
            finally:
                chaos_judge.check = original
        return failed


class JudgeTests(unittest.TestCase):
    def fails(self, word, change):
        scenario = Scenario()
        change(scenario)
        failures = scenario.failures()
        self.assertTrue(any(word in name for name in failures), failures)

    def test_an_order_that_is_whole(self):
        self.assertEqual(Scenario().failures(), [])

    def test_a_gap_that_is_told(self):
        scenario = Scenario()
        del scenario.tap[2:4]
        scenario.gaps[5] = 2
        self.assertEqual(scenario.failures(), [])

    def test_a_lost_acknowledged_action(self):
        self.fails("acknowledged", lambda s: s.rows.__setitem__(3, (
            "/left", {"bump": 102}, "client 1 2", "unavailable")))

    def test_an_action_applied_twice(self):
        self.fails("twice", lambda s: s.rows.append(("/left", {"bump": 101}, "client 1 5", None)))

    def test_a_void_action_that_was_applied(self):
        self.fails("refused or void", lambda s: s.rows.__setitem__(5, (
            "/left", {"bump": 103}, "client 1 3", None)))

    def test_an_action_from_nowhere(self):
        self.fails("nowhere", lambda s: s.rows.append(("/left", {"bump": 999}, "client 3 1", None)))

    def test_a_session_out_of_order(self):
        def change(s):
            s.rows[1], s.rows[3] = s.rows[3], s.rows[1]
        self.fails("in order", change)

    def test_a_missing_outcome(self):
        self.fails("lack outcomes", lambda s: s.logs["bumps"].pop())

    def test_an_effect_that_did_not_end(self):
        self.fails("effects ended", lambda s: s.rows.__setitem__(4, (
            "/left", {"answered": {"success": 201}}, "final 0 2/left#0", "unavailable")))

    def test_a_state_that_is_another(self):
        self.fails("one by one", lambda s: setattr(
            s, "change_state", lambda state: state["left"].update(sum=1)))

    def test_a_cut_that_is_another(self):
        def change(s):
            fold = s.fold
            s.fold = lambda: (fold()[0], [(4, (0, (1, 2, 3, 4), (0, 0, 0, 0)))])
        self.fails("R7", change)

    def test_a_changed_record(self):
        self.fails("whole", lambda s: setattr(s, "is_chained", False))

    def test_a_gap_that_is_not_told(self):
        self.fails("gaps account", lambda s: s.tap.__delitem__(2))

    def test_a_tap_that_says_something_else(self):
        self.fails("at the tap", lambda s: s.lies.update({3: {"bump": 7}}))


if __name__ == "__main__":
    unittest.main()
