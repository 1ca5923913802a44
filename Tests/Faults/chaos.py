"""A system under load to which a plan of faults is done; afterwards everything is judged."""

import collections
import os
import signal
import struct
import threading
import time

from chaos_judge import judge
from chaos_load import Clients, Subscriber, Tap
from chaos_plan import plan
from disk import Disk
from judging import check, within
from processes import parent, processes
from running_system import System


class Chaos:
    def __init__(self, system, disk, clients, tap, subscriber):
        self.system, self.disk, self.clients = system, disk, clients
        self.tap, self.subscriber = tap, subscriber
        self.stopped, self.timers = set(), []

    def do(self, kind, target, seconds):
        """Gives what was not possible, if something was not."""
        return getattr(self, kind.replace(" ", "_"))(target, seconds)

    # Processes

    def service(self, target):
        """A worker is any of those that there are."""
        if target != "worker":
            return target
        workers = [name for name in self.system.services() if name.startswith("worker-")]
        return workers[len(self.timers) % len(workers)]

    def process(self, target):
        return self.system.pid(self.service(target))

    def kill(self, target, seconds):
        return self.signal(self.process(target), signal.SIGKILL)

    def kill_supervise(self, target, seconds):
        pid = self.process(target)
        return self.signal(pid and parent(pid), signal.SIGKILL)

    def stop(self, target, seconds):
        return self.hold(self.process(target), seconds)

    def stop_supervise(self, target, seconds):
        pid = self.process(target)
        return self.hold(pid and parent(pid), seconds)

    def kill_log(self, target, seconds):
        place = os.path.join(self.system.run, "log", self.service(target))
        return self.signal(next((pid for pid, words in processes().items() if words[-1] == place
                                 and os.path.basename(words[0]) == "s6-log"), None), signal.SIGKILL)

    def stop_scanner(self, target, seconds):
        scanner = self.system.scanner()
        return self.hold(scanner if target == "s6-svscan" else parent(scanner), seconds)

    def signal(self, pid, number):
        if pid is None or pid == 1:
            return "it is not there"
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return "it is gone"

    def hold(self, pid, seconds):
        problem = self.signal(pid, signal.SIGSTOP)
        if not problem:
            self.stopped.add(pid)
            self.later(seconds, lambda: self.release(pid))
        return problem

    def release(self, pid):
        if pid in self.stopped:
            self.stopped.discard(pid)
            self.signal(pid, signal.SIGCONT)

    def later(self, seconds, action):
        self.timers.append(threading.Timer(seconds, action))
        self.timers[-1].start()

    def undo(self):
        """Nobody stands still any more, and the disk is well."""
        for pid in list(self.stopped):
            self.release(pid)
        self.disk.set()

    def end(self, target, seconds):
        self.undo()
        system = self.system
        scanner = system.scanner()
        pids = {"s6-svscan": [scanner], "keeper": [parent(scanner)],
                "everything": system.living()}[target]
        for pid in pids:
            self.signal(pid, signal.SIGKILL)
        gone = within(20, lambda: not system.living())
        if gone is None:
            check(f"SIGKILL of {target}: nothing is left", False,
                  [(pid, processes().get(pid)) for pid in system.living()])
        system.up(f"up after SIGKILL of {target}")

    def restart(self, target, seconds):
        self.undo()
        return self.asked("restart", target)

    def scale(self, target, seconds):
        return self.asked("scale", f"worker={target}")

    def asked(self, *arguments):
        result = self.system.supervisor(*arguments, "-S", self.system.run)
        return result.stdout.strip().splitlines()[0] if result.returncode else None

    # The disk

    def slow_disk(self, target, seconds):
        self.disk.set(delay=int(target))
        self.later(seconds, self.disk.set)

    def full_disk(self, target, seconds):
        self.disk.set(is_full=True)
        self.later(seconds, self.disk.set)

    def failing_sync(self, target, seconds):
        self.disk.set(failing_syncs=1)
        if within(5, lambda: self.disk.failing_syncs == 0) is None:
            return "nothing was synced"

    # Who uses the system

    def slow_tap_and_a_burst(self, target, seconds):
        tap = self.tap.process.pid
        self.hold(tap, seconds)
        self.clients.burst(seconds)
        self.release(tap)

    def slow_subscriber(self, target, seconds):
        self.subscriber.pause = seconds

    def stop_client(self, target, seconds):
        return self.hold(self.clients.running[len(self.timers) % 6].process.pid, seconds)

    def kill_client(self, target, seconds):
        self.clients.replace(len(self.timers) % 6)


def run(directory, options):
    seed = options.seed if options.seed is not None else struct.unpack("<I", os.urandom(4))[0]
    faults = plan(seed, options.minutes * 60)
    print(f"# chaos: seed {seed}, {options.minutes:g} minutes, at most {len(faults)} faults", flush=True)
    disk = Disk(directory)
    system = System("pair", directory, "--workers", "2")
    system.environment = disk.environment
    if not system.up():
        return
    clients, tap, subscriber = Clients(system, directory), Tap(system, directory), Subscriber(system)
    subscriber.start()
    chaos = Chaos(system, disk, clients, tap, subscriber)
    counts, begin = collections.Counter(), time.monotonic()
    start, tried = begin, 0
    for at, kind, target, seconds in faults:
        if time.monotonic() - begin > options.minutes * 60:
            break
        tried += 1
        time.sleep(max(0, start + at - time.monotonic()))
        problem = chaos.do(kind, target, seconds)
        counts[kind] += not problem
        name = " ".join(word for word in [kind, target, f"for {seconds:.1f} s" if seconds else ""] if word)
        print(f"# {time.monotonic() - begin:6.1f} s  {name}{f': {problem}' if problem else ''}", flush=True)
        # What takes time in itself moves what follows.
        start += max(0, time.monotonic() - start - at)
    for timer in chaos.timers:
        timer.join()
    chaos.undo()
    finish(system, clients, tap, subscriber)
    # One that needs a process which another fault has just ended may find nothing to do.
    done = sum(counts.values())
    check(f"{done} of {tried} faults could be done: "
          f"{', '.join(f'{kind} {count}' for kind, count in sorted(counts.items()))}",
          done >= 0.8 * tried)


def finish(system, clients, tap, subscriber):
    before = [client.committed for client in clients.running]
    went = within(90, lambda: all(client.committed >= old + 10 for client, old in
                                  zip(clients.running, before)), 0.2)
    check("all clients go on after it", went is not None, system.logs())
    clients.finish()

    def has_ended():
        state = system.state()
        return state["left"]["pending"] == state["right"]["pending"] == 0
    check("every effect has ended", within(60, has_ended, 0.2) is not None, system.logs())
    state = system.state()
    time.sleep(0.5)
    subscriber.finish()
    check("the tap ended in order", tap.finish() == 0)
    system.down()
    judge(os.path.join(system.run, "journal.sqlite"), state, clients.all, tap, subscriber)
