"""How long the compiler takes for a feature with many cases and for one with many children."""

import os
import statistics
import time

from running import DEPLOY, run

CASES = 50
CHILDREN = 30

EMPTY = "print(0)\n"


def feature(name, cases):
    """A feature whose action has so many cases, each with a value that it takes into its state."""
    fields = "\n".join(f"    var field{number} = {number}" for number in range(cases))
    declared = "\n".join(f"    case set{number}(Int)" for number in range(cases))
    taken = "\n".join(f"      case .set{number}(let value): state.field{number} = value"
                      for number in range(cases))
    return f"""
@Reducer
struct {name} {{
  @ObservableState
  struct State {{
{fields}
  }}

  enum Action {{
{declared}
  }}

  var body: some ReducerOf<Self> {{
    Reduce {{ state, action in
      switch action {{
{taken}
      }}
      return .none
    }}
  }}
}}
"""


def plain(name, cases):
    """The same without a macro, and without coding, comparing or case paths."""
    fields = "\n".join(f"    var field{number} = {number}" for number in range(cases))
    declared = "\n".join(f"    case set{number}(Int)" for number in range(cases))
    taken = "\n".join(f"    case .set{number}(let value): state.field{number} = value"
                      for number in range(cases))
    return f"""
struct {name} {{
  struct State {{
{fields}
  }}

  enum Action {{
{declared}
  }}

  func reduce(_ state: inout State, _ action: Action) {{
    switch action {{
{taken}
    }}
  }}
}}
"""


def composition(children):
    """A feature that mounts so many others, each of two cases."""
    fields = "\n".join(f"    var child{number} = Child{number}.State()" for number in range(children))
    declared = "\n".join(f"    case child{number}(Child{number}.Action)" for number in range(children))
    mounted = "\n".join(
        f"    Scope(state: \\.child{number}, action: \\.child{number}) {{ Child{number}() }}"
        for number in range(children))
    return "".join(feature(f"Child{number}", 2) for number in range(children)) + f"""
@Reducer
struct Parent {{
  @ObservableState
  struct State {{
{fields}
  }}

  enum Action {{
{declared}
  }}

  var body: some ReducerOf<Self> {{
{mounted}
  }}
}}
"""


def subjects():
    library = "import Penstock\n"
    yield "nothing", EMPTY
    yield f"{CASES} cases, plain Swift", plain("Feature", CASES) + EMPTY
    yield f"{CASES} cases", library + feature("Feature", CASES) + EMPTY
    yield f"{CHILDREN} features of 2 cases", (
        library + "".join(feature(f"Child{number}", 2) for number in range(CHILDREN)) + EMPTY)
    yield f"{CHILDREN} children of one", library + composition(CHILDREN) + EMPTY


def measure(bench):
    # A target of the package stands inside of it.
    place = os.path.join(".build", "compile-bench")
    directory = os.path.join(DEPLOY, "..", place)
    os.makedirs(directory, exist_ok=True)
    environment = dict(os.environ, PENSTOCK_COMPOSITIONS=place)

    def build(text, round_):
        with open(os.path.join(directory, "main.swift"), "w") as file:
            file.write(f"// {round_}\n{text}")
        start = time.monotonic()
        run(os.path.join(DEPLOY, "build"), "compositions", env=environment)
        return time.monotonic() - start

    build(EMPTY, "what it needs is built")
    seconds = {}
    for round_ in range(min(3, bench.options.rounds)):
        for name, text in subjects():
            seconds.setdefault(name, []).append(build(text, round_))
    rows = [{"name": name, "seconds": round(statistics.median(all_), 2), "rounds": all_}
            for name, all_ in seconds.items()]
    print(f"{'swift build, one file changed':36} {'s':>8} {'beyond nothing':>15}")
    for row in rows:
        print(f"{row['name']:36} {row['seconds']:>8.1f} {row['seconds'] - rows[0]['seconds']:>15.1f}")
    return rows, []
