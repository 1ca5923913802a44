"""A worker and a client in Python, written from Protocols/, at a system whose features are Swift."""

import json
import os
import signal
import subprocess
import sys
import time

import zmq

from judging import check, text_of, within
from number_worker import fact
from penstock_peer import Client, Refused
from running_system import System

PYTHON = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "Python")


class Worker:
    """The process of a worker that serves NumberFact."""

    def __init__(self, endpoint, name, directory, seconds=5):
        self.name, self.log = name, os.path.join(directory, name + ".log")
        self.process = subprocess.Popen([
            sys.executable, "-B", os.path.join(PYTHON, "number_worker.py"), endpoint, name, self.log,
            str(seconds)])

    def lines(self):
        try:
            with open(self.log) as file:
                return file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(20)


class Tap:
    """Every record, by a SUB."""

    def __init__(self, client, endpoint):
        self.client, self.records = client, []
        self.socket = client.context.socket(zmq.SUB)
        self.socket.set(zmq.LINGER, 0)
        self.socket.connect(endpoint)
        self.socket.subscribe(b"")

    def read(self):
        while self.socket.poll(0):
            topic, _, record = self.socket.recv().rpartition(b"\n")
            self.records.append((topic, json.loads(record)))
        return self.records

    def numbers(self, kind):
        return [record["n"] for _, record in self.read() if record["k"] == kind]


def run(directory, options):
    print("# python: the counter example, its facts from a worker in Python", flush=True)
    system = System("counter", directory, "--workers", "0")
    if not system.up():
        return
    endpoint = f"ipc://{system.run}/router.sock"
    worker = Worker(endpoint, "python-1", directory)
    others = []
    client = Client(endpoint, application="counter")
    try:
        tap = Tap(client, f"ipc://{system.run}/tap.sock")
        told = client.until(lambda: client.request("ready", workers=1)["ready"])
        check("the worker in Python has registered", told, system.logs())
        facts(system, client, worker, tap)
        refusals(client)
        killed_router(system, client, worker)
        others.append(Worker(endpoint, "python-2", directory))
        drained(system, client, worker, others[0])
        left, root = (follow(client, path) for path in ("/left", "/"))
        settled = client.until(lambda: mirror(client, root) == system.state()
                               and mirror(client, left) == system.state("/left"))
        check("its mirrors are what `penstock state` shows", settled, client.mirrors)
        order = [list(value) for value in (mirror(client, root), system.state())]
        check("in the same order", order[0] == order[1], order)
    finally:
        for process in [worker, *others]:
            process.process.kill()
            process.process.wait()
        tap.socket.close()
        client.close()
    gone = within(5, lambda: json.loads(system.penstock("ps", "--json").stdout)["clients"] == 1)
    check("after its goodbye the client is gone", gone is not None)
    system.down()


def follow(client, path):
    identifier = client.follow(path)
    client.until(lambda: client.mirrors[identifier]["asOf"] is not None)
    return identifier


def mirror(client, identifier):
    return client.mirrors[identifier]["state"]


def submit(client, path, *actions):
    """Outcomes of the actions, in their order."""
    tickets = [client.submit(path, action) for action in actions]
    client.until(lambda: all(ticket in client.outcomes for ticket in tickets), 30)
    return [client.outcomes.get(ticket, {"status": None}) for ticket in tickets]


def count_to(client, number):
    """Leaves /left with a count of `number` and without a fact."""
    return submit(client, "/left", "reset", *["increment"] * number)


def are_committed(outcomes):
    numbers = [outcome.get("sequence") for outcome in outcomes]
    return all(outcome["status"] == 1 for outcome in outcomes) and numbers == sorted(set(numbers))


def facts(system, client, worker, tap):
    left, nothing = follow(client, "/left"), follow(client, "/nothing")
    check("a subscription begins with the whole state",
          mirror(client, left) == {"count": 0, "fact": None, "isLoading": False}, mirror(client, left))
    check("or says that nothing is mounted", mirror(client, nothing) is None)
    outcomes = submit(client, "/left", *["increment"] * 5, "askFact")
    check("six actions are committed in their order (C-1, C-6)", are_committed(outcomes), outcomes)
    came = client.until(lambda: mirror(client, left)["fact"] == fact(5))
    check("the worker's output is an action of the feature (S-10)", came, mirror(client, left))
    check("the state followed by changes (C-8, C-9)", client.mirrors[left]["updates"] > 1)
    traced = client.request("trace", seq=outcomes[-1]["sequence"])
    done = [(effect["operation"], effect["worker"], effect["state"]) for effect in traced["effects"]]
    check("the trace leads to it", [effect[::2] for effect in done] == [("NumberFact", "done")], traced)

    count_to(client, 7)
    submit(client, "/left", "askFact")
    client.until(lambda: "run 7" in worker.lines())
    running = client.request("effects")["effects"]
    check("an effect runs at the worker",
          [(e["operation"], e["state"], e["worker"]) for e in running]
          == [("NumberFact", "started", "python-1")], running)
    submit(client, "/left", "cancelFact")
    stopped = client.until(lambda: "stopped 7" in worker.lines())
    check("the worker was told to cancel it", stopped, worker.lines())
    check("no effect is left", client.request("effects")["effects"] == [])

    count_to(client, 13)
    submit(client, "/left", "askFact")
    came = client.until(lambda: mirror(client, left)["fact"] == "(nobody knows about 13)")
    check("a failure that may be retried was tried twice, as its policy says (W-6)",
          came and worker.lines().count("run 13") == 2, (mirror(client, left), worker.lines()))

    last = count_to(client, 1)[-1]["sequence"]
    client.until(lambda: tap.read() and any(r.get("seq") == last for _, r in tap.records))
    numbers = tap.numbers("action")
    check("the tap lost none (T-3)", numbers == list(range(numbers[0], numbers[0] + len(numbers))))
    sequences = [record["seq"] for _, record in tap.records if record["k"] == "action"]
    check("its actions are the order", sequences == list(range(1, last + 1)), sequences)
    topics = {topic for topic, record in tap.records if record["k"] == "action"}
    check("topics are kind and path (T-1)", topics == {b"a/left"}, topics)


def refusals(client):
    tickets = [client.submit(path, action) for path, action in [
        ("/left", "increment"), ("/nowhere", "x"), ("/left", "increment"), ("/left", "nonsense"),
        ("/left", "increment")]]
    client.until(lambda: all(ticket in client.outcomes for ticket in tickets))
    outcomes = [client.outcomes[ticket] for ticket in tickets]
    check("what has no scope is refused `unknown-path`",
          outcomes[1]["status"] == 3 and outcomes[1]["refusal"]["code"] == 20, outcomes)
    check("what was behind it took its place (C-2, C-5)",
          are_committed([outcomes[0], outcomes[2], outcomes[4]]), outcomes)
    check("what is no action of the path is void `undecodable`",
          outcomes[3]["status"] == 2 and outcomes[3]["reason"] == 2, outcomes)
    try:
        client.request("nonsense")
        code = 0
    except Refused as refused:
        code = refused.code
    check("an unknown question is answered `unknown-request`", code == 40, code)


def killed_router(system, client, worker):
    right = follow(client, "/right")
    count_to(client, 17)
    submit(client, "/left", "askFact")
    client.until(lambda: "run 17" in worker.lines())
    tickets = [client.submit("/right", "increment") for _ in range(2000)]
    client.until(lambda: tickets[200] in client.outcomes)
    os.kill(system.pid("router"), signal.SIGKILL)
    start = time.monotonic()
    done = client.until(lambda: all(ticket in client.outcomes for ticket in tickets), 30)
    took = time.monotonic() - start
    check(f"the router was killed; all of 2,000 actions have their outcome after {took:.2f} s", done,
          system.logs())
    committed = sum(client.outcomes[ticket]["status"] == 1 for ticket in tickets if
                    ticket in client.outcomes)
    came = client.until(lambda: mirror(client, right)["count"] == committed)
    check(f"each of {committed} was applied once (C-3, C-4), and the mirror went on",
          came and committed == 2000, mirror(client, right))
    claimed = client.until(lambda: any(
        effect["worker"] == "python-1" for effect in client.request("effects")["effects"]))
    check("what the worker ran meanwhile goes on there (W-7)",
          claimed and worker.lines().count("run 17") == 1, worker.lines())


def drained(system, client, worker, other):
    client.until(lambda: client.request("ready", workers=2)["ready"])
    worker.process.send_signal(signal.SIGTERM)
    draining = client.until(lambda: any(
        (peer["name"], peer["state"]) == ("python-1", "draining")
        for peer in client.request("ps")["peers"]))
    check("a worker drains (W-8)", draining)
    count_to(client, 3)
    submit(client, "/left", "askFact")
    check("it gets nothing new", client.until(lambda: "run 3" in other.lines()), other.lines())
    code = worker.process.wait(20)
    check("it ended in order", code == 0, code)
    count_to(client, 27)
    submit(client, "/left", "askFact")
    client.until(lambda: "run 27" in other.lines())
    third = Worker(f"ipc://{system.run}/router.sock", "python-3", os.path.dirname(other.log))
    try:
        client.until(lambda: client.request("ready", workers=2)["ready"])
        start = time.monotonic()
        other.end(signal.SIGKILL)
        taken = client.until(lambda: "run 27" in third.lines())
        check(f"a worker was killed; another one runs its effect after "
              f"{text_of(time.monotonic() - start)}", taken, third.lines())
        count_to(client, 47)
        submit(client, "/left", "askFact")
        client.until(lambda: "run 47" in third.lines())
        fourth = Worker(f"ipc://{system.run}/router.sock", "python-4", os.path.dirname(other.log))
        try:
            client.until(lambda: client.request("ready", workers=2)["ready"])
            third.process.send_signal(signal.SIGTERM)
            taken = client.until(lambda: "run 47" in fourth.lines())
            check("a worker that drains hands back what takes too long (W-8)", taken, fourth.lines())
            submit(client, "/left", "reset")
            check("and ends", third.process.wait(20) == 0)
        finally:
            fourth.process.kill()
            fourth.process.wait()
    finally:
        third.process.kill()
        third.process.wait()
