"""A client and a worker, written from Protocols/2-CLIENT.md and 4-WORKER.md, over pyzmq."""

import contextlib
import itertools
import os
import queue
import secrets
import threading
import time

import zmq

import penstock_codec as codec
import penstock_state as states
from penstock_link import Link

(HELLO, WELCOME, REFUSED, GOODBYE, SUBMIT, CONFIRM, SUBSCRIBE, UNSUBSCRIBE, REQUEST, OUTCOME, STATE,
 REPLY) = 1, 2, 3, 4, 16, 17, 18, 19, 20, 24, 25, 26
(ASSIGN, CANCEL_EFFECT, OUTPUT_ACCEPTED, ATTEMPT_REFUSED, OUTPUT, EFFECT_ENDED, HEARTBEAT,
 DRAINING) = 64, 65, 66, 67, 72, 73, 74, 75
CLIENT, FEATURE, WORKER = 1, 2, 3
AFTER_REFUSAL = 23
ENDED = (1 << 32) - 1


def hexadecimal(value):
    return states.bytes_of(value).hex()


class Refused(Exception):
    def __init__(self, refusal):
        super().__init__(f"refused with code {refusal['code']}: {refusal['message']}")
        self.code = refusal["code"]


class Peer:
    """A DEALER and its link. `turn` waits for what comes, and gives it to `received`."""

    role = CLIENT

    def __init__(self, endpoint, application="", schema=0, name="python"):
        self.application, self.schema, self.name = application, schema, name
        self.session = secrets.randbits(64)
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.set(zmq.RCVHWM, 0)
        self.socket.set(zmq.SNDHWM, 0)
        self.socket.set(zmq.LINGER, 500)
        self.socket.set(zmq.RECONNECT_IVL, 20)
        self.socket.connect(endpoint)
        self.poller = zmq.Poller()
        self.poller.register(self.socket, zmq.POLLIN)
        self.link = Link(time.monotonic())
        self.is_welcome = False
        self.link_started()

    def send(self, verb, body=None, path=None, **header):
        self.link.enqueue(codec.message(verb, body, path, **header))

    def link_started(self):
        self.is_welcome = False
        self.send(HELLO, self.hello())

    def hello(self):
        return {
            "role": self.role, "session": self.session, "process": os.getpid(),
            "schema": self.schema, "slots": 0, "name": self.name,
            "application": self.application, "build": "", "description": "", "queues": [],
            "running": []}

    def turn(self, seconds=0.05):
        self.flush()
        wait = min(seconds, self.link.next_deadline() - time.monotonic())
        for source, _ in self.poller.poll(max(0, int(wait * 1000) + 1)):
            self.ready(source)
        self.flush()

    def ready(self, source):
        for _ in range(256):
            try:
                frame = self.socket.recv(zmq.DONTWAIT)
            except zmq.Again:
                return
            for kind, what in self.link.receive(frame, time.monotonic()):
                if kind == "restarted":
                    self.link_started()
                elif kind == "refused" or what["verb"] == REFUSED:
                    raise Refused(what if kind == "refused" else what["body"])
                else:
                    self.received(what)

    def flush(self):
        for frame in self.link.poll(time.monotonic()):
            self.socket.send(frame)

    def until(self, condition, seconds=20):
        """Turns until the condition holds; gives whether it does."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            self.turn()
        return True

    def close(self):
        """Leaves; the socket goes on for a moment with what it has to send."""
        self.send(GOODBYE)
        self.flush()
        self.socket.close()
        self.context.term()


class Client(Peer):
    """A session: actions in order, each applied once; and mirrors of states."""

    WINDOW = 256

    def __init__(self, endpoint, **options):
        # Actions without a final word, in order; the first `sent` of them have client sequences.
        self.entries, self.sent, self.next, self.confirmed = [], 0, 1, 0
        self.is_returning = False
        self.outcomes, self.mirrors, self.replies = {}, {}, {}
        self.pending_requests = {}
        self.tickets, self.ids = itertools.count(1), itertools.count(1)
        super().__init__(endpoint, **options)

    def submit(self, path, action):
        """A ticket, under which `outcomes` has the outcome when it is known."""
        ticket = next(self.tickets)
        self.entries.append({"ticket": ticket, "path": path, "payload": hexadecimal(action)})
        self.send_ready()
        return ticket

    def follow(self, path):
        """An id, under which `mirrors` has the path, `as of`, and the state."""
        identifier = next(self.ids)
        self.mirrors[identifier] = {"path": path, "asOf": None, "state": None, "updates": 0}
        if self.is_welcome:
            self.send(SUBSCRIBE, {"id": identifier}, path)
        return identifier

    def request(self, verb, seconds=20, **body):
        identifier = next(self.ids)
        self.pending_requests[identifier] = {
            "id": identifier, "request": verb, "body": hexadecimal(body)}
        if self.is_welcome:
            self.send(REQUEST, self.pending_requests[identifier])
        if not self.until(lambda: identifier in self.replies, seconds):
            raise TimeoutError(f"no answer to {verb}")
        status, answer = self.replies.pop(identifier)
        if status != 0:
            raise Refused({"code": status, "message": answer["message"]})
        return answer

    def received(self, message):
        verb, body = message["verb"], message["body"]
        if verb == WELCOME:
            self.welcomed(body["next"], is_durable=message["flags"] & 1)
        elif verb == OUTCOME:
            self.settled(message["sequence"], message["flags"], body)
        elif verb == STATE:
            self.moved(message["sequence"], body)
        elif verb == REPLY and self.pending_requests.pop(body["id"], None):
            self.replies[body["id"]] = body["status"], states.value_of(body["body"])

    def welcomed(self, next_sequence, is_durable):
        """C-4: what was below *next* keeps its sequence, the rest is counted on from there."""
        self.is_welcome, self.is_returning, self.next = True, False, next_sequence
        for entry in self.entries[:self.sent]:
            if entry["sequence"] >= next_sequence:
                entry["sequence"] = self.next
                self.next += 1
            self.send_entry(entry)
        for identifier, mirror in self.mirrors.items():
            if not is_durable:
                mirror["asOf"] = None
            self.send(SUBSCRIBE, {"id": identifier}, mirror["path"])
        for body in self.pending_requests.values():
            self.send(REQUEST, body)
        self.send_ready()

    def send_ready(self):
        while self.is_welcome and not self.is_returning and self.sent < min(
                len(self.entries), self.WINDOW):
            self.number(self.entries[self.sent])
            self.sent += 1

    def number(self, entry):
        entry["sequence"] = self.next
        self.next += 1
        self.send_entry(entry)

    def send_entry(self, entry):
        entry["is_back"] = False
        body = {"clientSequence": entry["sequence"], "payload": entry["payload"]}
        self.send(SUBMIT, body, entry["path"])

    def settled(self, sequence, flags, body):
        place = next((place for place, entry in enumerate(self.entries[:self.sent])
                      if entry["sequence"] == body["clientSequence"]), None)
        if place is None:
            return
        is_refused = body["status"] == 3
        if is_refused and body["refusal"]["code"] == AFTER_REFUSAL:
            self.is_returning = True
            self.entries[place]["is_back"] = True
        else:
            entry = self.entries.pop(place)
            self.sent -= 1
            self.outcomes[entry["ticket"]] = {**body, "sequence": sequence, "flags": flags}
            if is_refused:
                self.is_returning, self.next = True, entry["sequence"]
        self.send_returned()
        self.send_ready()
        self.confirm()

    def send_returned(self):
        """C-5: all that was behind the refused one takes its place, when all of it is back."""
        behind = [e for e in self.entries[:self.sent] if e["sequence"] >= self.next]
        before = [e for e in self.entries[:self.sent] if e["is_back"] and e not in behind]
        if self.is_returning and not before and all(entry["is_back"] for entry in behind):
            self.is_returning = False
            for entry in behind:
                self.number(entry)

    def confirm(self):
        lowest = self.entries[0]["sequence"] if self.sent else self.next
        if not self.is_returning and lowest > self.confirmed + 64:
            self.confirmed = lowest - 1
            self.send(CONFIRM, {"upTo": self.confirmed})

    def moved(self, as_of, body):
        mirror = self.mirrors.get(body["subscription"])
        state = body["state"]
        if mirror is None or mirror["asOf"] is not None and as_of < mirror["asOf"]:
            return
        try:
            if state["kind"] == 0:
                mirror["state"] = None
            elif state["kind"] == 1:
                mirror["state"] = states.value_of(state["value"])
            elif state["from"] != mirror["asOf"]:
                raise states.PatchError("a gap")
            else:
                mirror["state"] = states.apply(state["patch"], mirror["state"])
        except states.PatchError:
            # C-9: begins again with a whole state.
            mirror["asOf"] = None
            self.send(SUBSCRIBE, {"id": body["subscription"]}, mirror["path"])
            return
        mirror["asOf"] = as_of
        mirror["updates"] += 1


class OperationFailed(Exception):
    def __init__(self, code, message, is_retryable=True):
        super().__init__(message)
        self.code, self.is_retryable = code, is_retryable


class Worker(Peer):
    """Serves operations, which are functions of an input and an event that is set when they are to
    stop. Each has one output, and runs in a thread of its own."""

    role = WORKER

    def __init__(self, endpoint, operations, slots=4, queues=("default",), **options):
        self.operations, self.slots, self.queues = operations, slots, queues
        # By effect: what is kept until the router has it durably (W-2).
        self.effects = {}
        self.is_draining = False
        self.reports = queue.SimpleQueue()
        self.wake_in, self.wake_out = os.pipe()
        super().__init__(endpoint, **options)
        self.poller.register(self.wake_in, zmq.POLLIN)

    def hello(self):
        running = [{"effect": [effect[0], effect[1], effect[2]], "attempt": held["attempt"]}
                   for effect, held in self.effects.items()]
        description = hexadecimal({"operations": sorted(self.operations)})
        return {**super().hello(), "slots": self.slots, "queues": list(self.queues),
                "description": description, "running": running}

    def received(self, message):
        verb, body = message["verb"], message["body"]
        effect = (*message["effect"], message["path"])
        held = self.effects.get(effect)
        is_same = held is not None and held["attempt"] == message["attempt"]
        if verb == WELCOME:
            self.is_welcome = True
            if self.is_draining:
                self.send(DRAINING)
            for effect, held in self.effects.items():
                self.send_kept(effect, held)
        elif verb == ASSIGN:
            if held is None or held["attempt"] < message["attempt"]:
                self.assigned(effect, message["attempt"], body)
        elif verb in (CANCEL_EFFECT, ATTEMPT_REFUSED) and is_same:
            held["stop"].set()
            del self.effects[effect]
        elif verb == OUTPUT_ACCEPTED and is_same and held["kept"]:
            if held["index"] <= body["index"]:
                del self.effects[effect]

    def assigned(self, effect, attempt, body):
        if effect in self.effects:
            self.effects[effect]["stop"].set()
        held = {"attempt": attempt, "index": body["next"], "stop": threading.Event(), "kept": None}
        self.effects[effect] = held
        if self.is_draining:
            self.ended(effect, held, {"result": 4})
            return
        operation, value = self.operations[body["operation"]], states.value_of(body["input"])
        threading.Thread(
            target=self.run, args=(effect, held, operation, value), daemon=True).start()

    def run(self, effect, held, operation, value):
        try:
            report = OUTPUT, operation(value, held["stop"])
        except OperationFailed as error:
            report = EFFECT_ENDED, error
        self.reports.put((effect, held, report))
        os.write(self.wake_out, b"1")

    def ready(self, source):
        if source is self.socket:
            super().ready(source)
            return
        os.read(self.wake_in, 4096)
        while not self.reports.empty():
            effect, held, (verb, what) = self.reports.get()
            if self.effects.get(effect) is not held or held["kept"]:
                continue
            if verb == OUTPUT:
                self.keep(effect, held, OUTPUT, {"value": hexadecimal(what)}, 1)
            else:
                failure = {"result": 2, "code": what.code, "message": str(what)}
                self.ended(effect, held, failure, 1 if what.is_retryable else 0)

    def ended(self, effect, held, fields, flags=0):
        self.keep(effect, held, EFFECT_ENDED, fields, flags)

    def keep(self, effect, held, verb, fields, flags):
        held["kept"] = verb, {"index": held["index"], **fields}, flags
        if self.is_welcome:
            self.send_kept(effect, held)

    def send_kept(self, effect, held):
        if held["kept"]:
            verb, body, flags = held["kept"]
            self.send(verb, body, effect[2], flags=flags, effect=[effect[0], effect[1]],
                      cause=effect[0], attempt=held["attempt"])

    def drain(self, seconds):
        """Takes nothing new; what still runs after the time is handed back."""
        self.is_draining = True
        if self.is_welcome:
            self.send(DRAINING)
        if not self.until(lambda: not self.effects, seconds):
            for effect, held in list(self.effects.items()):
                if not held["kept"]:
                    held["stop"].set()
                    self.ended(effect, held, {"result": 4})
            self.until(lambda: not self.effects, 2)
        self.close()


def connect_worker(endpoint, operations, **options):
    """A worker of the system: a client asks first which application and schema that is."""
    with contextlib.closing(Client(endpoint)) as client:
        described = client.request("describe")
    return Worker(endpoint, operations, application=described["application"],
                  schema=int(described["schema"], 16), **options)
