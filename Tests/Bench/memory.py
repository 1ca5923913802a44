"""Uptime's /targets with 1,000 targets that answer: memory and start."""

import json
import os
import signal
import statistics
import struct
import subprocess
import time

from running import DEPLOY, until

TARGETS = 1000
MOST_MEGABYTES = 15
MOST_MILLISECONDS = 100


def resident(pid):
    """Megabytes of resident memory: all, its anonymous part, and the most there ever was."""
    with open(f"/proc/{pid}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    names = {"rss": "VmRSS", "anonymous": "RssAnon", "peak": "VmHWM"}
    return {key: round(int(fields[name].split()[0]) / 1024, 2) for key, name in names.items()}


def started(service):
    """The pid and the milliseconds of its start, from s6: TAI64N when it forked, and when it heard of
    the readiness. None while it is not ready."""
    with open(os.path.join(service, "supervise/status"), "rb") as file:
        status = file.read()
    forked, forked_nano, ready, ready_nano, pid = struct.unpack(">QIQIQ", status[:32])
    if not pid or not status[-1] & 8:
        return None
    return pid, (ready - forked) * 1e3 + (ready_nano - forked_nano) / 1e6


def waited(pid):
    """Milliseconds in which the main thread could have run and other processes did."""
    with open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[1]) / 1e6


def measure(bench):
    servers = subprocess.Popen(
        [os.path.join(DEPLOY, "demo-servers")], stdout=subprocess.PIPE, text=True)
    try:
        url = json.loads(servers.stdout.readline())["steady"]
        with bench.system("uptime", "memory", "--workers", "1", "--slots", "16") as system:
            figures = grow(bench, system, url)
    finally:
        servers.kill()
        servers.wait()
    return figures, judge(figures)


def grow(bench, system, url):
    service = os.path.join(system.path, "scan/feature:targets")
    targets = [{"name": f"target-{number:04}", "url": f"{url}service/{number:04}",
                "interval": 3_600_000, "timeout": 10_000} for number in range(TARGETS)]
    system.penstock("send", "/targets", "load", json.dumps(targets))

    def up():
        return system.question("state", "/")["totals"]["up"]

    until(lambda: up() == TARGETS)
    pid, _ = started(service)
    figures = {"grown": resident(pid)}
    time.sleep(3)
    figures["quiet"] = resident(pid)
    starts, waits = [], []
    for _ in range(max(5, bench.options.rounds)):
        # Without it s6's `finish` would let the next start wait for its back-off.
        if os.path.exists(os.path.join(service, "pause")):
            os.remove(os.path.join(service, "pause"))
        killed = pid
        os.kill(killed, signal.SIGKILL)
        pid, milliseconds = until(lambda: (now := started(service)) and now[0] != killed and now)
        starts.append(round(milliseconds, 1))
        waits.append(round(waited(pid), 1))
        figures["restarted"] = resident(pid)
    figures["start"] = {"median": statistics.median(starts), "waiting": statistics.median(waits),
                        "rounds": starts}
    system.load("/targets/rows/target-0007", '"start"', 2000, 100)
    figures["working"] = resident(pid)
    if up() != TARGETS:
        raise RuntimeError("a target was lost")
    return figures


def judge(figures):
    print(f"{'/targets, ' + format(TARGETS, ',') + ' targets':24} {'RSS':>8} {'anonymous':>9} {'peak':>8}")
    complaints = []
    for name in ["grown", "quiet", "restarted", "working"]:
        row = figures[name]
        print(f"{name:24} {row['rss']:>5.1f} MB {row['anonymous']:>6.1f} MB {row['peak']:>5.1f} MB")
        if row["peak"] > MOST_MEGABYTES:
            complaints.append(f"/targets used {row['peak']} MB ({name}), more than {MOST_MEGABYTES}")
    starts = figures["start"]
    print(f"start, median of {len(starts['rounds'])} {starts['median']:>8.0f} ms, of which "
          f"{starts['waiting']:.0f} ms waiting for a processor")
    if starts["median"] > MOST_MILLISECONDS:
        complaints.append(f"/targets needed {starts['median']} ms to be ready, more than "
                          f"{MOST_MILLISECONDS}")
    return complaints
