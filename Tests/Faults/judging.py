"""Checks, one line each, and waiting."""

import time

checks = failures = 0


def check(name, is_so, detail=""):
    global checks, failures
    checks += 1
    failures += not is_so
    print(f"{'ok' if is_so else 'not ok'} {checks} - {name}", flush=True)
    if not is_so and detail:
        print("\n".join("    " + line for line in str(detail).splitlines()[-40:]), flush=True)
    return is_so


def within(seconds, condition, step=0.02):
    """Polls; gives the seconds that it took, or None."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            return None
        time.sleep(step)
    return time.monotonic() - start


def text_of(seconds):
    return "never" if seconds is None else f"{seconds:.2f} s"
