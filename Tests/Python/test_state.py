import unittest

import penstock_state as states


def value(number):
    return states.bytes_of(number).hex()


class PatchTests(unittest.TestCase):
    def test_operations_apply_in_order_S1_S2(self):
        document = states.apply([
            {"op": "set", "path": ["a"], "value": value(1)},
            {"op": "set", "path": ["b"], "value": value({})},
            {"op": "insert", "path": ["c"], "at": 0, "value": value(3)},
            {"op": "set", "path": ["b", "x"], "value": value([1, None])},
            {"op": "move", "path": ["a"], "at": 2},
            {"op": "set", "path": ["c"], "value": value(4)},
        ], {})
        self.assertEqual(states.bytes_of(document), b'{"c":4,"b":{"x":[1,null]},"a":1}')
        self.assertEqual(states.apply([{"op": "set", "path": [], "value": value(7)}], document), 7)
        document = states.apply([{"op": "remove", "path": ["b", "x"]}], document)
        self.assertEqual(states.bytes_of(document), b'{"c":4,"b":{},"a":1}')

    def test_what_does_not_fit_is_an_error_S3(self):
        for operation in [
            {"op": "set", "path": ["none", "x"], "value": value(1)},
            {"op": "set", "path": ["a", "x"], "value": value(1)},
            {"op": "insert", "path": ["a"], "at": 0, "value": value(1)},
            {"op": "insert", "path": ["b"], "at": 2, "value": value(1)},
            {"op": "remove", "path": ["b"]},
            {"op": "remove", "path": []},
            {"op": "move", "path": ["b"], "at": 0},
            {"op": "move", "path": ["a"], "at": 1},
        ]:
            with self.subTest(operation), self.assertRaises(states.PatchError):
                states.apply([operation], {"a": 1})


if __name__ == "__main__":
    unittest.main()
