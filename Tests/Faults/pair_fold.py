"""The application `pair` once more, and its order reduced one by one."""

import json

VOID, STALE, APPLIED = "void", "stale", "applied"


def side():
    return {"sum": 0, "numbers": {}, "answers": [], "pending": 0, "ticks": 0, "note": ""}


class PairFold:
    def __init__(self):
        self.state = {"left": side(), "right": side(), "total": 0}
        # Living effects, by id; each began with a question.
        self.living = set()

    def take(self, record):
        """What becomes of a record: VOID, STALE (of an effect that does not live), or APPLIED."""
        if record.reason:
            return VOID
        word, *rest = record.origin.split(" ", 2)
        if word in ("output", "final", "end"):
            effect = rest[-1]
            if effect not in self.living:
                return STALE
            if word != "output":
                self.living.discard(effect)
            if word == "end":
                return APPLIED
        elif word not in ("initial", "client"):
            raise ValueError(f"pair has no origin {record.origin}")
        if word != "initial":
            self.apply(record.path[1:], json.loads(record.payload), record.sequence)
        return APPLIED

    def apply(self, name, action, sequence):
        (case, value), = action.items()
        tally = self.state[name]
        if case == "bump":
            tally["sum"] += value
        elif case == "add":
            tally["sum"] += value
            self.state["total"] += value
            tally["numbers"].setdefault(str(value), {"id": value, "times": 0})["times"] += 1
        elif case == "ask":
            tally["pending"] += 1
            self.living.add(f"{sequence}/{name}#0")
        elif case == "answered":
            tally["pending"] -= 1
            tally["answers"] += [value["success"]] if "success" in value else []
        else:
            raise ValueError(f"pair has no action {case}")
