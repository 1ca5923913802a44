"""What is done to a system, and when: all of it follows from a seed."""

import random

SERVICES = ["router", "feature:", "feature:left", "feature:right", "worker"]


def deck(generator):
    """Each kind of fault, of each process: (kind, target, seconds)."""
    some = generator.uniform
    faults = [("kill", service, 0) for service in SERVICES]
    faults += [("stop", service, some(0.2, 4)) for service in SERVICES]
    faults += [("kill supervise", service, 0) for service in SERVICES]
    faults += [("stop supervise", generator.choice(SERVICES), some(0.5, 3))]
    faults += [("stop scanner", target, some(0.5, 3)) for target in ["s6-svscan", "keeper"]]
    faults += [("kill log", generator.choice(SERVICES), 0)]
    faults += [("end", target, 0) for target in ["s6-svscan", "keeper", "everything"]]
    faults += [("restart", generator.choice(["router", "/left", "worker-1"]), 0)]
    faults += [("scale", str(workers), 0) for workers in generator.sample([1, 2, 3, 4], 2)]
    faults += [("slow disk", str(generator.choice([5, 20, 100, 300])), some(1, 5))]
    faults += [("full disk", "", some(0.3, 2)), ("failing sync", "", 0)]
    faults += [("slow tap and a burst", "", some(5, 15)), ("slow subscriber", "", some(0.5, 4))]
    faults += [("stop client", "", some(0.5, 3)), ("kill client", "", 0)]
    generator.shuffle(faults)
    return faults


def plan(seed, seconds):
    """(time, kind, target, seconds) in order of time; a time counts from the end of the fault before."""
    generator = random.Random(seed)
    faults, at = [], 1.0
    while True:
        for kind, target, length in deck(generator):
            faults.append((at, kind, target, length))
            at += generator.uniform(0.2, 2.4)
            if at > seconds:
                return faults
