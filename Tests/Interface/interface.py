"""The public declarations of modules, from their symbol graphs, one a line.

`interface.py GRAPHS FILE` compares them with the baseline in FILE and fails when one is gone or reads
differently: that breaks the code of applications. `--update` writes the baseline instead.
"""

import glob
import json
import os
import sys


def declarations(directory):
    lines = set()
    for name in glob.glob(os.path.join(directory, "*.symbols.json")):
        with open(name) as file:
            graph = json.load(file)
        for symbol in graph["symbols"]:
            # What macros and the compiler add belongs to the declaration that it is added to.
            if symbol["identifier"]["precise"].find("::SYNTHESIZED::") >= 0:
                continue
            fragments = symbol.get("declarationFragments", [])
            text = " ".join("".join(part["spelling"] for part in fragments).split())
            lines.add(f"{'.'.join(symbol['pathComponents'])}: {text}")
    return lines


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    directory, baseline = arguments
    now = declarations(directory)
    if not now:
        raise SystemExit(f"no symbol graph is in {directory}")
    if "--update" in sys.argv:
        with open(baseline, "w") as file:
            file.writelines(line + "\n" for line in sorted(now))
        return
    with open(baseline) as file:
        before = set(file.read().splitlines())
    for line in sorted(before - now):
        print(f"not ok - gone or different: {line}")
    for line in sorted(now - before):
        print(f"not ok - not in the baseline: {line}")
    if before != now:
        print(f"If that is meant: say so in CHANGELOG.md, and Deploy/test-docs --update")
        raise SystemExit(1)
    print(f"ok - {len(now)} public declarations are those of the baseline")


main()
