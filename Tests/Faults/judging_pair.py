"""The state of the application `pair` against the logs of its clients."""

import collections

from judging import check, within


def judge(system, adders, askers):
    """The clients' logs against the state, by nothing that the router has a part in."""
    def answered():
        state = system.state()
        return state["left"]["pending"] == 0 and state["right"]["pending"] == 0
    check("every effect has ended", within(60, answered, 0.2) is not None, system.logs())
    state = system.state()
    for side in ("left", "right"):
        times = {}
        for row in state[side]["numbers"].values():
            times[row["id"]] = times.get(row["id"], 0) + row["times"]
        twice = [number for number, count in times.items() if count != 1]
        check(f"/{side}: none of {len(times)} actions was applied twice", not twice, twice[:10])
        committed = failed = 0
        lost, ghosts = [], []
        for client, base, path in adders:
            if path == side:
                done, refused = client.outcomes()
                committed, failed = committed + len(done), failed + len(refused)
                lost += [(client.name, line) for line in done if base + line not in times]
                ghosts += [(client.name, line) for line in refused if base + line in times]
        check(f"/{side}: all of {committed} acknowledged actions are in the state", not lost, lost[:10])
        check(f"/{side}: none of {failed} refused or void actions is", not ghosts, ghosts[:10])
        answers = collections.Counter(state[side]["answers"])
        twice = [number for number, count in answers.items() if count != 1]
        check(f"/{side}: none of {len(answers)} outputs was applied twice", not twice, twice[:10])
        lost = [(client.name, line) for client, base, path in askers if path == side
                for line in client.outcomes()[0] if base + line not in answers]
        check(f"/{side}: each acknowledged question has its answer", not lost, lost[:10])
        added = sum(times)
        check(f"/{side}: its sum is that of its numbers", state[side]["sum"] == added,
              (state[side]["sum"], added))
    total = state["left"]["sum"] + state["right"]["sum"]
    check("the root counted what its features did", state["total"] == total, (state["total"], total))
