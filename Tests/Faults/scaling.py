"""Probes that take 250 ms each, by one worker, by four, and by four that are killed."""

import json
import os
import signal
import subprocess
import threading
import time

from judging import check, within
from load import SlowServer
from running_system import System, binary


def run(directory, options):
    print("# scaling: 64 probes of 250 ms, workers of 4 slots", flush=True)
    server = SlowServer()
    system = System("uptime", directory, "--workers", "1", "--slots", "4")
    if not system.up("one worker is up"):
        return
    # An hour between two probes of a target: each load makes each of them once.
    targets = [{"name": f"t{number}", "url": server.url, "interval": 3_600_000, "timeout": 10_000}
               for number in range(64)]
    watch = subprocess.Popen([binary("penstock"), "state", "/targets", "--watch", "--json", "-S", system.run],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    latest = {}

    def follow():
        for line in watch.stdout:
            latest["rows"] = json.loads(line)["state"]["rows"]
            latest["time"] = time.monotonic()

    threading.Thread(target=follow, daemon=True).start()
    rounds = 0

    def probe_all(meanwhile=None):
        """Seconds until each target has one more probe in its state."""
        nonlocal rounds
        rounds += 1
        start = time.monotonic()
        system.send("/targets", {"load": targets})
        if meanwhile:
            meanwhile()

        def is_done():
            rows = latest.get("rows", {})
            return len(rows) == 64 and all(
                row["probes"] >= rounds and not row["isProbing"] for row in rows.values())
        return latest["time"] - start if within(60, is_done, 0.002) is not None else float("inf")

    probe_all()
    one = min(probe_all() for _ in range(1 if options.short else 2))
    result = system.supervisor("scale", "worker=4", "-S", system.run)
    check("scaled to four workers", result.returncode == 0, result.stdout)
    four = min(probe_all() for _ in range(3))
    ratio = four / one
    print(f"# one worker {one:.3f} s, four workers {four:.3f} s, ratio {ratio:.3f}", flush=True)
    check(f"the ratio is {ratio:.3f}, within 0.25 and 0.33", 0.25 <= ratio <= 0.33)

    before = server.requests
    killed = 0

    def kill_workers():
        nonlocal killed
        for number in range(1, 5):
            time.sleep(0.15)
            pid = system.pid(f"worker-{number}")
            if pid:
                os.kill(pid, signal.SIGKILL)
                killed += 1

    times = [probe_all(kill_workers) for _ in range(1 if options.short else 3)]
    print(f"# with {killed} workers killed: {', '.join(f'{t:.2f} s' for t in times)}; "
          f"{server.requests - before} requests for {64 * len(times)} probes", flush=True)
    # What would come twice, would come soon.
    time.sleep(1)
    rows = system.state("/targets")["rows"]
    wrong = {name: row["probes"] for name, row in rows.items() if row["probes"] != rounds}
    check(f"all of {64 * rounds} probes are in the state, each once", len(rows) == 64 and not wrong, wrong)
    failed = {name: row["reason"] for name, row in rows.items() if row["failures"]}
    check("none of them failed", not failed, failed)
    watch.send_signal(signal.SIGINT)
    watch.wait()
    watch.stdout.close()
    system.down()
    server.shutdown()
    server.server_close()
