"""The golden vectors pass in the second codec too. Run: python3 -m unittest discover Tests/Python"""

import json
import pathlib
import random
import unittest

import penstock_codec

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Protocols" / "vectors"


def load(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


class VectorTests(unittest.TestCase):
    def test_frames_decode_to_what_the_vectors_say(self):
        for vector in load("frames.json"):
            with self.subTest(vector["name"]):
                link, messages = penstock_codec.decode(bytes.fromhex(vector["hex"]))
                self.assertEqual(link, vector["link"])
                self.assertEqual(messages, vector["messages"])

    def test_what_the_vectors_say_encodes_to_their_bytes(self):
        for vector in load("frames.json"):
            with self.subTest(vector["name"]):
                data = penstock_codec.encode(vector["link"], vector["messages"])
                self.assertEqual(data.hex(), vector["hex"])

    def test_every_verb_has_a_vector(self):
        verbs = {m["verb"] for vector in load("frames.json") for m in vector["messages"]}
        self.assertEqual(verbs, set(penstock_codec.FORMATS))

    def test_malformed_frames_are_refused_with_the_stated_code(self):
        for vector in load("malformed.json"):
            with self.subTest(vector["name"]):
                with self.assertRaises(penstock_codec.WireError) as caught:
                    penstock_codec.decode(bytes.fromhex(vector["hex"]))
                self.assertEqual(caught.exception.code, vector["error"])

    def test_changed_bytes_raise_wire_errors_only(self):
        generator = random.Random(1)
        for vector in load("frames.json"):
            for _ in range(50):
                data = bytearray.fromhex(vector["hex"])
                data[generator.randrange(len(data))] = generator.randrange(256)
                try:
                    penstock_codec.decode(bytes(data))
                except penstock_codec.WireError:
                    pass


if __name__ == "__main__":
    unittest.main()
