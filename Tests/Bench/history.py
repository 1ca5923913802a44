"""What a long history costs: memory, the journal's size, a start after it, and its replay."""

import os
import signal
import time

from memory import resident
from running import SUPERVISOR, run, until

ACTION = ("/left", '"increment"')


def measure(bench):
    actions = int(100_000 * bench.options.seconds)
    figures = {"actions": actions}
    with bench.system("counter", "history", "--workers", "0", "--no-durability") as system:
        journal = os.path.join(system.path, "journal.sqlite")

        def megabytes():
            names = {"router": "router", "/left": "feature"}
            return {names[name]: resident(pid)["rss"] for name, pid in system.processes().items()
                    if name in names}

        for part in ["first", "second"]:
            system.load(*ACTION, actions // 2, 1000)
            size = sum(os.path.getsize(journal + end) for end in ["", "-wal"])
            figures[part] = {**megabytes(), "journal": round(size / 1048576, 1)}
            print(f"after {actions // 2 * (1 if part == 'first' else 2):>9,} actions: router "
                  f"{figures[part]['router']:.1f} MB, feature {figures[part]['feature']:.1f} MB, journal "
                  f"{figures[part]['journal']:.1f} MB")
        committed = system.question("ps")["committed"]
        pids = system.processes()
        start = time.monotonic()
        for pid in pids.values():
            os.kill(pid, signal.SIGKILL)
        until(lambda: restarted(system, pids))
        system.penstock("send", *ACTION)
        figures["restart"] = round(time.monotonic() - start, 3)
        print(f"all killed, until the next action is committed: {figures['restart']:.2f} s")
        run(SUPERVISOR, "down", "-S", system.path, env=bench.environment)
        start = time.monotonic()
        run(bench.executable("counter"), "replay", "--journal", journal, "--at", str(committed))
        figures["replay"] = round(committed / (time.monotonic() - start))
        print(f"replay in one process: {figures['replay']:,} actions a second")
    return figures, []


def restarted(system, old):
    try:
        now = system.processes()
    except Exception:
        return False
    return all(now.get(name) not in [None, pid] for name, pid in old.items())
