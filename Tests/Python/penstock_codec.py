"""A second, independent codec of Penstock's frames, written from Protocols/1-FRAME.md and those
behind it. It shares nothing with the Swift one but the test vectors."""

import struct

LINK = struct.Struct("<2sBBIQQQQQHHI")
MESSAGE = struct.Struct("<BBHIQIIQIIQQQII")

FRAME_LIMIT = 32 << 20
MESSAGES_PER_FRAME = 1024
PATH, NAME, TEXT = 1024, 1024, 4096
PAYLOAD, STATE, DESCRIPTION, CURSOR = 1 << 20, 16 << 20, 1 << 20, 64 << 10
SENDS, EFFECTS, MOUNTS, DIAGNOSTICS, SHARED = 1024, 4096, 65536, 64, 1024
OPERATIONS, DEPTH, CANCEL_IDS, CASES, QUEUES, RUNNING = 262144, 128, 64, 16, 64, 65536
SPAN = 1 << 60
ERROR_CODES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 40, 41, 60}

NONE, JSON, BINARY = 0, 1, 2
FORMATS = {
    1: BINARY, 2: BINARY, 3: BINARY, 4: NONE,
    16: JSON, 17: NONE, 18: NONE, 19: NONE, 20: JSON, 24: BINARY, 25: BINARY, 26: JSON,
    32: JSON, 33: NONE, 34: JSON, 35: NONE, 36: BINARY, 37: JSON, 38: NONE, 39: NONE, 40: NONE,
    41: NONE, 42: BINARY, 48: BINARY, 49: BINARY, 50: BINARY, 51: NONE,
    64: BINARY, 65: NONE, 66: NONE, 67: NONE, 72: JSON, 73: BINARY, 74: JSON, 75: NONE,
}
WITH_PATH = {16, 18, 37, 64, 65, 66, 67, 72, 73, 74}


class WireError(Exception):
    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


def malformed(message):
    return WireError("malformed", message)


def bounded(size, limit, what):
    if size > limit:
        raise WireError("too-large", f"{what}: {size} exceeds {limit}")
    return size


def unescape(component):
    if component == "%00":
        return ""
    result, index = "", 0
    while index < len(component):
        if component[index] != "%":
            result += component[index]
            index += 1
            continue
        pair = component[index + 1:index + 3]
        if pair not in ("25", "2F"):
            raise malformed(f"path: bad escape in {component!r}")
        result += "%" if pair == "25" else "/"
        index += 3
    return result


def escape(component):
    return component.replace("%", "%25").replace("/", "%2F") or "%00"


def check_path(path):
    if not path.startswith("/"):
        raise malformed("path: does not begin with /")
    if path != "/":
        for component in path[1:].split("/"):
            if not component or escape(unescape(component)) != component:
                raise malformed(f"path: {path!r} is not canonical")
    return path


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def take(self, size):
        if size > self.left():
            raise malformed(f"{size} bytes expected, {self.left()} left")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def u8(self): return self.number("B")
    def u16(self): return self.number("H")
    def u32(self): return self.number("I")
    def u64(self): return self.number("Q")
    def i64(self): return self.number("q")

    def flag(self):
        value = self.u8()
        if value > 1:
            raise malformed(f"{value} is neither 0 nor 1")
        return value == 1

    def span(self):
        value = self.i64()
        if not 0 <= value <= SPAN:
            raise malformed(f"{value} is not a span of time")
        return value

    def rest(self, limit):
        return self.take(bounded(self.left(), limit, "rest")).hex()

    def block(self, limit):
        return self.take(bounded(self.u32(), limit, "block")).hex()

    def string(self, limit):
        try:
            return self.take(bounded(self.u16(), limit, "string")).decode("utf-8")
        except UnicodeDecodeError:
            raise malformed("not UTF-8") from None

    def name(self): return self.string(NAME)
    def text(self): return self.string(TEXT)

    def path(self, optional=False):
        path = self.string(PATH)
        if path == "" and optional:
            return None
        return check_path(path)

    def list(self, limit, least, read):
        count = bounded(self.u32(), limit, "count")
        if count * least > self.left():
            raise malformed(f"{count} elements in {self.left()} bytes")
        return [read() for _ in range(count)]

    def optional(self, read):
        return read() if self.flag() else None


class Writer:
    def __init__(self):
        self.data = b""

    def put(self, code, value): self.data += struct.pack("<" + code, value)
    def rest(self, text): self.data += bytes.fromhex(text)

    def block(self, text):
        self.put("I", len(text) // 2)
        self.rest(text)

    def string(self, text):
        data = text.encode("utf-8")
        self.put("H", len(data))
        self.data += data

    def list(self, values, write):
        self.put("I", len(values))
        for value in values:
            write(value)

    def optional(self, value, write):
        self.put("B", 0 if value is None else 1)
        if value is not None:
            write(value)


# Values

def read_refusal(r):
    code = r.u16()
    if code not in ERROR_CODES:
        raise malformed(f"error code {code} is unknown")
    return {"code": code, "message": r.text()}


def write_refusal(w, refusal):
    w.put("H", refusal["code"])
    w.string(refusal["message"])


def read_operation(r):
    depth = bounded(r.u8(), DEPTH, "patch path")
    path = [r.name() for _ in range(depth)]
    change = r.u8()
    if change == 1:
        return {"op": "set", "path": path, "value": r.block(STATE)}
    if change == 2:
        return {"op": "insert", "path": path, "at": r.u32(), "value": r.block(STATE)}
    if change == 3:
        return {"op": "remove", "path": path}
    if change == 4:
        return {"op": "move", "path": path, "at": r.u32()}
    raise malformed(f"change {change} is unknown")


def write_operation(w, operation):
    w.put("B", len(operation["path"]))
    for name in operation["path"]:
        w.string(name)
    w.put("B", ["set", "insert", "remove", "move"].index(operation["op"]) + 1)
    if "at" in operation:
        w.put("I", operation["at"])
    if "value" in operation:
        w.block(operation["value"])


def read_patch(r):
    return r.list(OPERATIONS, 2, lambda: read_operation(r))


def write_patch(w, patch):
    w.list(patch, lambda operation: write_operation(w, operation))


def read_state(r):
    kind = r.u8()
    if kind == 0:
        return {"kind": 0}
    if kind == 1:
        return {"kind": 1, "value": r.rest(STATE)}
    if kind == 2:
        return {"kind": 2, "from": r.u64(), "patch": read_patch(r)}
    raise malformed(f"kind {kind} is unknown")


def write_state(w, state):
    w.put("B", state["kind"])
    if state["kind"] == 1:
        w.rest(state["value"])
    if state["kind"] == 2:
        w.put("Q", state["from"])
        write_patch(w, state["patch"])


def read_reading(r):
    return {"path": r.path(), "field": r.name(), "value": r.block(PAYLOAD)}


def write_reading(w, reading):
    w.string(reading["path"])
    w.string(reading["field"])
    w.block(reading["value"])


def read_mounts(r):
    return r.list(MOUNTS, 4, lambda: {
        "path": r.path(), "before": r.optional(r.name), "after": r.optional(r.name)})


def write_mounts(w, mounts):
    def write(mount):
        w.string(mount["path"])
        w.optional(mount["before"], w.string)
        w.optional(mount["after"], w.string)
    w.list(mounts, write)


def read_policy(r):
    return {
        "queue": r.name(), "attempts": r.u32(), "initial": r.span(), "maximum": r.span(),
        "timeout": r.optional(r.span), "heartbeat": r.optional(r.span)}


def write_policy(w, policy):
    w.string(policy["queue"])
    w.put("I", policy["attempts"])
    w.put("q", policy["initial"])
    w.put("q", policy["maximum"])
    w.optional(policy["timeout"], lambda value: w.put("q", value))
    w.optional(policy["heartbeat"], lambda value: w.put("q", value))


def read_command(r):
    kind = r.u8()
    if kind == 2:
        return {"cancel": r.path(), "id": [r.name(), r.name()]}
    if kind != 1:
        raise malformed(f"command {kind} is unknown")
    start = {"start": r.path(), "ids": r.list(CANCEL_IDS, 4, lambda: [r.name(), r.name()])}
    kind = r.u8()
    if kind == 1:
        start.update(operation=r.name(), input=r.block(PAYLOAD))
        start.update(cases=r.list(CASES, 2, r.name), isOutcome=r.flag(), policy=read_policy(r))
    elif kind == 2:
        start.update(interval=r.span(), isRepeating=r.flag(), payload=r.block(PAYLOAD))
    else:
        raise malformed(f"effect {kind} is unknown")
    return start


def write_command(w, command):
    def write_id(pair):
        w.string(pair[0])
        w.string(pair[1])
    if "cancel" in command:
        w.put("B", 2)
        w.string(command["cancel"])
        write_id(command["id"])
        return
    w.put("B", 1)
    w.string(command["start"])
    w.list(command["ids"], write_id)
    if "operation" in command:
        w.put("B", 1)
        w.string(command["operation"])
        w.block(command["input"])
        w.list(command["cases"], w.string)
        w.put("B", command["isOutcome"])
        write_policy(w, command["policy"])
    else:
        w.put("B", 2)
        w.put("q", command["interval"])
        w.put("B", command["isRepeating"])
        w.block(command["payload"])


def read_transition(r):
    return {
        "patch": read_patch(r), "mounts": read_mounts(r),
        "sends": r.list(SENDS, 6, lambda: {"path": r.path(), "payload": r.block(PAYLOAD)}),
        "effects": r.list(EFFECTS, 7, lambda: read_command(r)),
        "diagnostics": r.list(DIAGNOSTICS, 2, r.text)}


def write_transition(w, transition):
    def write_send(send):
        w.string(send["path"])
        w.block(send["payload"])
    write_patch(w, transition["patch"])
    write_mounts(w, transition["mounts"])
    w.list(transition["sends"], write_send)
    w.list(transition["effects"], lambda command: write_command(w, command))
    w.list(transition["diagnostics"], w.string)


def read_running(r):
    sequence, index = r.u64(), r.u32()
    return {"effect": [sequence, index, r.path()], "attempt": [r.u32(), r.u32()]}


def write_running(w, running):
    sequence, index, path = running["effect"]
    w.put("Q", sequence)
    w.put("I", index)
    w.string(path)
    w.put("I", running["attempt"][0])
    w.put("I", running["attempt"][1])


# Bodies

def read_body(verb, flags, r):
    if verb == 1:
        role = r.u8()
        if role not in (1, 2, 3):
            raise malformed(f"role {role} is unknown")
        return {
            "role": role, "session": r.u64(), "process": r.u32(), "schema": r.u64(),
            "slots": r.u32(), "name": r.name(), "application": r.name(), "build": r.name(),
            "description": r.block(DESCRIPTION), "queues": r.list(QUEUES, 2, r.name),
            "running": r.list(RUNNING, 22, lambda: read_running(r))}
    if verb == 2:
        return {"next": r.u64(), "application": r.name()}
    if verb == 3:
        return read_refusal(r)
    if verb == 16:
        return {"clientSequence": r.u64(), "payload": r.rest(PAYLOAD)}
    if verb == 17:
        return {"upTo": r.u64()}
    if verb in (18, 19):
        return {"id": r.u32()}
    if verb == 20:
        return {"id": r.u32(), "request": r.name(), "body": r.rest(PAYLOAD)}
    if verb == 24:
        outcome = {"clientSequence": r.u64(), "status": r.u8()}
        if outcome["status"] == 2:
            outcome["reason"] = r.u8()
            if outcome["reason"] not in (1, 2, 3, 4, 5, 6):
                raise malformed("reason is unknown")
        elif outcome["status"] == 3:
            outcome["refusal"] = read_refusal(r)
        elif outcome["status"] != 1:
            raise malformed("status is unknown")
        return outcome
    if verb == 25:
        return {"subscription": r.u32(), "state": read_state(r)}
    if verb == 26:
        return {"id": r.u32(), "status": r.u16(), "body": r.rest(STATE)}
    if verb == 32:
        return {"state": r.rest(STATE) if flags & 1 else None}
    if verb == 33:
        return {"now": r.i64(), "seed": r.u64()}
    if verb == 34:
        return {"state": r.rest(STATE)}
    if verb == 36:
        return {"patch": read_patch(r)}
    if verb == 37:
        now, seed = r.i64(), r.u64()
        shared = r.list(SHARED, 8, lambda: read_reading(r)) if flags & 8 else []
        return {"now": now, "seed": seed, "shared": shared,
                "payload": r.rest(STATE) if flags & 4 else None}
    if verb == 38:
        marker, since = r.u32(), r.u32()
        return {"id": marker, "since": since if flags & 1 else None}
    if verb == 42:
        return {"description": r.block(DESCRIPTION), "state": r.rest(STATE)}
    if verb == 48:
        return {"mounts": read_mounts(r), "state": r.rest(STATE)}
    if verb == 49:
        if flags & 3 == 3:
            raise malformed("an answer of two kinds")
        return {"message": r.text()} if flags & 3 else read_transition(r)
    if verb == 50:
        return {"id": r.u32(), "state": read_state(r)}
    if verb == 64:
        return {
            "next": r.u32(), "operation": r.name(), "policy": read_policy(r),
            "cursor": r.block(CURSOR), "input": r.rest(PAYLOAD)}
    if verb == 66:
        return {"index": r.u32()}
    if verb == 72:
        return {"index": r.u32(), "value": r.rest(PAYLOAD)}
    if verb == 73:
        ended = {"index": r.u32(), "result": r.u8()}
        if ended["result"] == 2:
            ended.update(code=r.name(), message=r.text())
        elif ended["result"] not in (1, 3, 4):
            raise malformed("result is unknown")
        return ended
    if verb == 74:
        return {"cursor": r.rest(CURSOR)}
    return {}


def write_body(verb, body, w):
    if verb == 1:
        for code, name in zip("BQIQI", ["role", "session", "process", "schema", "slots"]):
            w.put(code, body[name])
        for name in ["name", "application", "build"]:
            w.string(body[name])
        w.block(body["description"])
        w.list(body["queues"], w.string)
        w.list(body["running"], lambda running: write_running(w, running))
    elif verb == 2:
        w.put("Q", body["next"])
        w.string(body["application"])
    elif verb == 3:
        write_refusal(w, body)
    elif verb == 16:
        w.put("Q", body["clientSequence"])
        w.rest(body["payload"])
    elif verb == 17:
        w.put("Q", body["upTo"])
    elif verb in (18, 19):
        w.put("I", body["id"])
    elif verb == 20:
        w.put("I", body["id"])
        w.string(body["request"])
        w.rest(body["body"])
    elif verb == 24:
        w.put("Q", body["clientSequence"])
        w.put("B", body["status"])
        if body["status"] == 2:
            w.put("B", body["reason"])
        if body["status"] == 3:
            write_refusal(w, body["refusal"])
    elif verb == 25:
        w.put("I", body["subscription"])
        write_state(w, body["state"])
    elif verb == 26:
        w.put("I", body["id"])
        w.put("H", body["status"])
        w.rest(body["body"])
    elif verb in (32, 34):
        w.rest(body["state"] or "")
    elif verb == 33:
        w.put("q", body["now"])
        w.put("Q", body["seed"])
    elif verb == 36:
        write_patch(w, body["patch"])
    elif verb == 37:
        w.put("q", body["now"])
        w.put("Q", body["seed"])
        if body.get("shared"):
            w.list(body["shared"], lambda reading: write_reading(w, reading))
        w.rest(body["payload"] or "")
    elif verb == 38:
        w.put("I", body["id"])
        w.put("I", body["since"] or 0)
    elif verb == 42:
        w.block(body["description"])
        w.rest(body["state"])
    elif verb == 48:
        write_mounts(w, body["mounts"])
        w.rest(body["state"])
    elif verb == 49:
        if "message" in body:
            w.string(body["message"])
        else:
            write_transition(w, body)
    elif verb == 50:
        w.put("I", body["id"])
        write_state(w, body["state"])
    elif verb == 64:
        w.put("I", body["next"])
        w.string(body["operation"])
        write_policy(w, body["policy"])
        w.block(body["cursor"])
        w.rest(body["input"])
    elif verb == 66:
        w.put("I", body["index"])
    elif verb == 72:
        w.put("I", body["index"])
        w.rest(body["value"])
    elif verb == 73:
        w.put("I", body["index"])
        w.put("B", body["result"])
        if body["result"] == 2:
            w.string(body["code"])
            w.string(body["message"])
    elif verb == 74:
        w.rest(body["cursor"])


# Frames

def decode_message(r):
    if r.left() < MESSAGE.size:
        raise malformed("message: header cut off")
    (verb, form, flags, length, sequence, start, squash, generation, ordinal, index, cause,
     correlation, effect, attempt, number) = MESSAGE.unpack(r.take(MESSAGE.size))
    if length > r.left():
        raise malformed("message: body cut off")
    if verb not in FORMATS:
        raise WireError("unknown-verb", f"verb {verb}")
    if form != FORMATS[verb]:
        raise malformed(f"format {form} of verb {verb}")
    body = Reader(r.take(length))
    path = body.path(optional=True)
    if path is None and verb in WITH_PATH:
        raise malformed("path missing")
    fields = read_body(verb, flags, body)
    if body.left():
        raise malformed(f"{body.left()} bytes behind the body")
    return {
        "verb": verb, "format": form, "flags": flags, "sequence": sequence,
        "epoch": [start, squash], "generation": [generation, ordinal], "cause": cause,
        "correlation": correlation, "effect": [effect, index], "attempt": [attempt, number],
        "path": path, "body": fields}


def decode_header(data):
    """The link header and the number of messages; raises WireError."""
    if len(data) < 3 or data[:2] != b"PS":
        raise malformed("not a frame")
    if data[2] != 1:
        raise WireError("unknown-version", f"version {data[2]}")
    bounded(len(data), FRAME_LIMIT, "frame")
    if len(data) < LINK.size:
        raise malformed("frame: header cut off")
    (_, _, flags, length, sender, receiver, first, acknowledged, credit, count, zero,
     zero_too) = LINK.unpack(data[:LINK.size])
    if length != len(data):
        raise malformed(f"frame: says {length} bytes, has {len(data)}")
    if flags & ~15 or zero or zero_too or sender == 0 or first + count > (1 << 64) - 1:
        raise malformed("frame: a field of its header is wrong")
    bounded(count, MESSAGES_PER_FRAME, "messages")
    link = {
        "flags": flags, "sender": sender, "receiver": receiver, "first": first,
        "acknowledged": acknowledged, "credit": credit}
    return link, count


def decode(data):
    """The link header and the messages of a frame; raises WireError."""
    link, count = decode_header(data)
    reader = Reader(data[LINK.size:])
    messages = [decode_message(reader) for _ in range(count)]
    if reader.left():
        raise malformed("frame: bytes behind the last message")
    return link, messages


def message(verb, body=None, path=None, **header):
    """A message of the verb; header fields that are not named are 0."""
    fields = {
        "flags": 0, "sequence": 0, "epoch": [0, 0], "generation": [0, 0], "cause": 0,
        "correlation": 0, "effect": [0, 0], "attempt": [0, 0]}
    return {
        "verb": verb, "format": FORMATS[verb], "path": path, "body": body or {}, **fields, **header}


def encode_message(message):
    body = Writer()
    body.string(message["path"] or "")
    write_body(message["verb"], message["body"], body)
    return MESSAGE.pack(
        message["verb"], message["format"], message["flags"], len(body.data),
        message["sequence"], *message["epoch"], *message["generation"], message["effect"][1],
        message["cause"], message["correlation"], message["effect"][0],
        *message["attempt"]) + body.data


def join(link, messages):
    """A frame of encoded messages."""
    size = LINK.size + sum(map(len, messages))
    return LINK.pack(
        b"PS", 1, link["flags"], size, link["sender"], link["receiver"], link["first"],
        link["acknowledged"], link["credit"], len(messages), 0, 0) + b"".join(messages)


def encode(link, messages):
    return join(link, [encode_message(message) for message in messages])
