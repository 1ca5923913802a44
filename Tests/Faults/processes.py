"""What /proc says of this user's processes."""

import os


def processes():
    """The command lines of this user's processes that are no zombies, by pid."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            if os.stat(f"/proc/{name}").st_uid != os.getuid():
                continue
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")[:-1]
        except OSError:
            continue
        if words:
            found[int(name)] = words
    return found


def descriptors(pid):
    targets = set()
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            targets.add(os.readlink(f"/proc/{pid}/fd/{name}"))
    except OSError:
        pass
    return targets


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def parent(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])
