"""States and their changes, written from Protocols/5-STATE.md."""

import json


class PatchError(Exception):
    """The operation does not fit (S-3)."""


def value_of(text):
    return json.loads(bytes.fromhex(text))


def bytes_of(value):
    """The canonical encoding, as far as JSON's own values go (S-6)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def apply(patch, document):
    """The document after the patch; the given one may have changed when it does not fit."""
    for operation in patch:
        document = apply_operation(operation, document)
    return document


def apply_operation(operation, document):
    path, kind = operation["path"], operation["op"]
    if not path:
        if kind != "set":
            raise PatchError(f"{kind} needs a name")
        return value_of(operation["value"])
    members = document
    for name in path[:-1]:
        members = member(members, name)
    if not isinstance(members, dict):
        raise PatchError(f"{path} is in no object")
    name = path[-1]
    if kind == "set":
        members[name] = value_of(operation["value"])
    elif kind == "remove":
        member(members, name)
        del members[name]
    elif kind == "insert":
        if name in members:
            raise PatchError(f"{name} is there already")
        place(members, name, value_of(operation["value"]), operation["at"])
    else:
        value = member(members, name)
        del members[name]
        place(members, name, value, operation["at"])
    return document


def member(members, name):
    if not isinstance(members, dict) or name not in members:
        raise PatchError(f"there is no {name}")
    return members[name]


def place(members, name, value, index):
    if index > len(members):
        raise PatchError(f"{index} is out of range")
    behind = list(members.items())[index:]
    for other, _ in behind:
        del members[other]
    members[name] = value
    members.update(behind)
