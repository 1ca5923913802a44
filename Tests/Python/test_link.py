"""The second link over a transport that loses, repeats and reorders. Both ends are a peer's side,
which differs from the router's only in how a link begins."""

import random
import unittest

import penstock_codec as codec
from penstock_link import RESET, Link


def joined(now=0.0):
    left, right = Link(now), Link(now)
    left.router, right.router = right.incarnation, left.incarnation
    return left, right


def numbers(events):
    return [message["body"]["upTo"] for kind, message in events if kind == "message"]


class LinkTests(unittest.TestCase):
    def test_each_message_comes_once_and_in_order_F8(self):
        for seed in range(5):
            generator = random.Random(seed)
            ends = joined()
            came, on_the_way, now = ([], []), [], 0.0
            for number in range(1, 3001):
                ends[number % 2].enqueue(codec.message(17, {"upTo": number}))
            while len(came[0]) + len(came[1]) < 3000:
                now += 0.005
                self.assertLess(now, 600)
                for side in (0, 1):
                    for frame in ends[side].poll(now):
                        copies = generator.choices([0, 1, 2], [1, 8, 1])[0]
                        on_the_way += [(1 - side, frame)] * copies
                if generator.random() < 0.2:
                    generator.shuffle(on_the_way)
                for side, frame in on_the_way:
                    came[side].extend(numbers(ends[side].receive(frame, now)))
                on_the_way = []
            self.assertEqual(came[0], list(range(1, 3000, 2)))
            self.assertEqual(came[1], list(range(2, 3001, 2)))

    def test_it_stays_within_the_credit_F10(self):
        left, right = joined()
        for number in range(2000):
            left.enqueue(codec.message(17, {"upTo": number}))
        frames = left.poll(0)
        self.assertEqual(sum(codec.decode(frame)[0]["first"] > 0 for frame in frames), len(frames))
        self.assertEqual(sum(len(codec.decode(frame)[1]) for frame in frames), 64)
        came = [number for frame in frames for number in numbers(right.receive(frame, 0))]
        self.assertEqual(came, list(range(64)))

    def test_what_is_not_acknowledged_is_sent_again_F9(self):
        left, _ = joined()
        left.enqueue(codec.message(17, {"upTo": 1}))
        times = []
        for tick in range(32):
            if any(codec.decode(frame)[1] for frame in left.poll(tick / 8)):
                times.append(tick / 8)
        self.assertEqual(times, [0, 0.25, 0.75, 1.75, 2.75, 3.75])

    def test_after_a_reset_it_begins_anew(self):
        left, right = joined()
        left.enqueue(codec.message(17, {"upTo": 1}))
        old = left.incarnation
        header = {"flags": RESET, "sender": 9, "receiver": old, "first": 0, "acknowledged": 0,
                  "credit": 0}
        self.assertEqual(left.receive(codec.encode(header, []), 0), [("restarted", None)])
        self.assertEqual(left.incarnation, old + 1)
        self.assertEqual(left.outbox, [])
        # The second of two resets names an incarnation that is gone.
        self.assertEqual(left.receive(codec.encode(header, []), 0), [])

    def test_what_breaks_the_protocol_ends_it(self):
        left, right = joined()
        header = {"flags": 0, "sender": right.incarnation, "receiver": left.incarnation,
                  "first": 1, "acknowledged": 7, "credit": 0}
        (kind, refusal), = left.receive(codec.encode(header, []), 0)
        self.assertEqual((kind, refusal["code"]), ("refused", 1))
        self.assertEqual(left.poll(10), [])


if __name__ == "__main__":
    unittest.main()
