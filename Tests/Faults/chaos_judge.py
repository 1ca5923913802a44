"""Journal, clients' logs, tap and subscriber against each other: nothing here is of the router."""

import collections
import json

from chaos_load import summary
from judging import check
from journal import Journal
from pair_fold import APPLIED, STALE, PairFold


def judge(path, state, clients, tap, subscriber):
    journal = Journal(path)
    check(f"the journal's {journal.position:,} entries are whole, of {len(journal.starts)} starts (J-2 to "
          "J-6)", not journal.problems, journal.problems[:10])
    fold, fates, cuts = PairFold(), [], {}
    wanted = {as_of for as_of, _ in subscriber.cuts}
    for record in journal.records:
        fates.append(fold.take(record))
        if record.sequence in wanted:
            cuts[record.sequence] = summary(fold.state)
    check(f"the state is that of {len(journal.records):,} records, reduced one by one",
          json.dumps(state) == json.dumps(fold.state), differences(state, fold.state))
    judge_clients(journal, fates, clients)
    judge_effects(journal, fates, fold)
    judge_cuts(subscriber, cuts, journal)
    judge_tap(journal, tap)


def differences(state, other):
    return [(name, value if len(str(value)) < 200 else len(str(value))) for name, value in [
        (f"{side} {field}", (state[side][field], other[side][field]))
        for side in ("left", "right") for field in state[side]
        if state[side][field] != other[side][field]]]


def judge_clients(journal, fates, clients):
    by_payload = collections.defaultdict(list)
    sessions = collections.defaultdict(list)
    for record in journal.records:
        word, *rest = record.origin.split(" ")
        if word == "client":
            by_payload[record.path, record.payload].append(record)
            sessions[rest[0]].append((int(rest[1]), record.sequence))
    lost, twice, ghosts, strange, order = [], [], [], [], []
    acknowledged = refused = unknown = 0
    for client in clients:
        outcomes = {}
        with open(client.log) as file:
            # The last line of one that was killed may be cut off.
            for line in file.read().split("\n")[:-1]:
                outcome = json.loads(line)
                outcomes[outcome["line"]] = outcome
        numbers = []
        for line in range(1, client.written + 1):
            payload = json.dumps(client.action(line), separators=(",", ":")).encode()
            records = by_payload.pop((client.path, payload), [])
            applied = [r.sequence for r in records if fates[r.sequence] == APPLIED]
            outcome = outcomes.get(line)
            told = (client.name, line, outcome, applied)
            twice += [told] if len(applied) > 1 else []
            if outcome is None:
                unknown += 1
                strange += [] if client.was_killed else [told]
            elif outcome["status"] == "committed":
                acknowledged += 1
                lost += [told] if applied != [outcome["seq"]] else []
                numbers.append(outcome["seq"])
            else:
                refused += 1
                ghosts += [told] if applied else []
        order += [client.name] if numbers != sorted(numbers) else []
    check(f"each of {acknowledged:,} acknowledged actions was applied, under its number", not lost, lost[:5])
    check("none was applied twice", not twice, twice[:5])
    check(f"none of {refused:,} refused or void actions was applied", not ghosts, ghosts[:5])
    check(f"only killed clients lack outcomes ({unknown:,})", not strange, strange[:5])
    check("no action came from nowhere", not by_payload, list(by_payload)[:5])
    order += [session for session, pairs in sessions.items() if
              any(later[0] <= earlier[0] for earlier, later in zip(pairs, pairs[1:]))]
    check(f"each of {len(sessions)} sessions is in order (C-1)", not order, order)


def judge_effects(journal, fates, fold):
    """Each question was applied and so began an effect; it ends once, by its answer."""
    ends = collections.Counter()
    for record in journal.records:
        word, *rest = record.origin.split(" ", 2)
        if word in ("final", "end") and fates[record.sequence] == APPLIED:
            ends[rest[-1]] += 1
    began = sum(record.payload.startswith(b'{"ask"') and fates[record.sequence] == APPLIED
                for record in journal.records)
    twice = [effect for effect, count in ends.items() if count > 1]
    check(f"each of {began:,} effects ended, and once", not fold.living and not twice and len(ends) == began,
          (sorted(fold.living)[:5], twice[:5], len(ends)))
    answers = [answer for side in ("left", "right") for answer in fold.state[side]["answers"]]
    check(f"none of {len(answers):,} answers came twice", len(set(answers)) == len(answers))
    stale = fates.count(STALE)
    print(f"# {stale} results came late, of effects that had ended", flush=True)


def judge_cuts(subscriber, cuts, journal):
    check(f"the subscriber got {len(subscriber.cuts):,} cuts", subscriber.cuts and not subscriber.error,
          subscriber.error)
    numbers = [as_of for as_of, _ in subscriber.cuts]
    check("they only go forward (C-10)", numbers == sorted(numbers))
    wrong = [(as_of, seen, cuts.get(as_of)) for as_of, seen in subscriber.cuts if cuts.get(as_of) != seen]
    check("each is the state of the order at its number (R7)", not wrong, wrong[:3])


def judge_tap(journal, tap):
    last, lost, gap, wrong, gaps = None, 0, 0, [], []
    count = 0
    with open(tap.path) as file:
        for line in file.read().split("\n")[:-1]:
            row = json.loads(line)
            if row["k"] == "gap" and row["kind"] == "action":
                gap = row["lost"]
            if row["k"] != "action":
                continue
            count += 1
            record = journal.records[row["seq"]]
            payload = json.loads(record.payload) if record.payload else None
            if (row["path"], row.get("payload")) != (record.path, payload) and "trunc" not in row:
                wrong.append((row, record))
            if last and last["epoch"][0] == row["epoch"][0]:
                missing = row["seq"] - last["seq"] - 1
                if not missing == row["n"] - last["n"] - 1 == gap:
                    gaps.append((last, row, gap))
                lost += gap
            last, gap = row, 0
    check(f"each of {count:,} actions at the tap is a record of the order", count and not wrong, wrong[:3])
    check(f"its gaps account for all of {lost:,} that are missing between (T-3)", not gaps, gaps[:3])
