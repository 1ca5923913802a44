"""Writes random compositions of features, to be run by the simulator against the oracle.

Each composition is an application of its own: a tree of features, up to four deep, whose children are
mounted in all ways that the library has, and whose parents write to them, send to them, present,
dismiss, insert and remove. `generate.py DIRECTORY --count 60 --seed 1` writes a source file for each
and a main.swift that plays the one that the environment's COMPOSITION names.
"""

import argparse
import os
import random
import textwrap

ALONE = ["scope", "optional", "presented", "destination", "rows", "stack"]
DEEPEST = 4
# Features after which a composition grows in depth only.
LARGE = 6


class Feature:
    """A generated reducer: its name, its depth from the leaves, and samples of its actions."""

    def __init__(self, name, samples):
        self.name = name
        self.samples = samples


class Composition:
    def __init__(self, number, chance):
        self.prefix = f"C{number}"
        self.number = number
        self.chance = chance
        self.count = 0
        self.parts = []
        self.kinds = set()

    def name(self, what):
        self.count += 1
        return f"{self.prefix}{what}{self.count}"

    def write(self, text):
        self.parts.append(textwrap.dedent(text).strip() + "\n")

    # Features

    def feature(self, depth, closes=False):
        """A feature with children when there is depth left.

        closes: whether it is mounted where it can take itself away.
        """
        if depth == 1:
            return self.leaf(closes)
        if self.chance.random() < 0.15:
            return self.modes(depth)
        return self.inner(depth, closes)

    def leaf(self, closes):
        chance = self.chance
        name = self.name("Leaf")
        more = chance.sample(["chain", "load", "stream", "later", "timer", "draw"], chance.randint(1, 3))
        if closes:
            more.append("close")
        cases = ["case add(Int)"]
        arms = ["case .add(let number):", "  state.sum += number", "  return .none"]
        samples = [f".add({n})" for n in (1, 2, 3, 5, 8)]
        if "chain" in more:
            cases.append("case chain(Int)")
            fan = chance.choice([".send(.chain(depth - 1))",
                                 ".merge(.send(.chain(depth - 1)), .send(.add(depth)))"])
            arms += ["case .chain(let depth):", "  state.sum += 1",
                     f"  return depth > 0 ? {fan} : .none"]
            samples += [".chain(2)", ".chain(4)"]
        if "load" in more:
            cases += ["case load(Int)", "case loaded(Outcome<Int>)", "case cancelLoad"]
            policy = chance.choice([
                "", ".timeout(.milliseconds(600)).retry(maximumAttempts: 2, backoff: .milliseconds(5))"])
            flight = chance.choice(["true", "false"])
            arms += ["case .load(let number):", "  state.loads += 1",
                     f"  return .run(Twice(number: number), to: \\.loaded){policy}",
                     f"    .cancellable(id: Cancel.load, cancelInFlight: {flight})",
                     "case .loaded(.success(let number)):", "  state.sum += number", "  return .none",
                     "case .loaded(.failure):", "  return .send(.add(-1))",
                     "case .cancelLoad:", "  return .cancel(id: Cancel.load)"]
            samples += [".load(1)", ".load(2)", ".load(3)", ".cancelLoad"]
        if "stream" in more:
            cases += ["case stream", "case streamed(Outcome<Int>)"]
            arms += ["case .stream:",
                     "  return .run(Some(count: 3), to: \\.streamed)"
                     ".retry(maximumAttempts: 2, backoff: .milliseconds(5))",
                     "case .streamed(.success(let number)):", "  state.sum += number", "  return .none",
                     "case .streamed(.failure):", "  return .none"]
            samples += [".stream"]
        if "later" in more:
            cases += ["case later", "case due"]
            wait = chance.choice([
                ".after(.milliseconds(20), .due)",
                ".send(.due).debounce(id: Cancel.later, for: .milliseconds(30))",
                ".send(.due).delay(for: .milliseconds(15))"])
            arms += ["case .later:", f"  return {wait}",
                     "case .due:", "  state.dues += 1", "  return .none"]
            samples += [".later"]
        if "timer" in more:
            cases += ["case start", "case stop", "case tick"]
            arms += ["case .start:",
                     "  return .every(.milliseconds(120), .tick)"
                     ".cancellable(id: Cancel.timer, cancelInFlight: true)",
                     "case .stop:", "  return .cancel(id: Cancel.timer)",
                     "case .tick:", "  state.dues += 1", "  return .none"]
            samples += [".start", ".stop"]
        if "draw" in more:
            cases.append("case draw")
            arms += ["case .draw:", "  state.sum = random(in: 0...1_000)", "  return .none"]
            samples += [".draw"]
        if "close" in more:
            cases.append("case close")
            arms += ["case .close:", "  state.sum = -1", "  return .dismiss"]
            samples += [".close"]
        self.kinds.update(more)
        self.reducer(name, ["var id = 0", "var sum = 0", "var loads = 0", "var dues = 0"], cases, [],
                     arms, [])
        return Feature(name, samples)

    def modes(self, depth):
        """An enum of states, each a feature."""
        chance = self.chance
        self.kinds.add("cases")
        name = self.name("Modes")
        children = [self.feature(depth - 1), self.leaf(False)]
        words = ["idle", "busy"]
        parts = []
        for word, child in zip(words, children):
            parts.append(f".ifCaseLet(\\.{word}, action: \\.{word}) {{ {child.name}() }}")
        leaves = chance.choice(words)
        other = words[1 - words.index(leaves)]
        self.write(f"""
            @Reducer
            struct {name} {{
              @ObservableState
              enum State {{
                case idle({children[0].name}.State)
                case busy({children[1].name}.State)

                init() {{ self = .idle({children[0].name}.State()) }}

                var sum: Int {{
                  switch self {{
                  case .idle(let state): state.sum
                  case .busy(let state): state.sum
                  }}
                }}
              }}

              enum Action {{
                case add(Int)
                case become(Int)
                case idle({children[0].name}.Action)
                case busy({children[1].name}.Action)
              }}

              var body: some ReducerOf<Self> {{
                Reduce {{ state, action in
                  switch action {{
                  case .become(let number):
                    state = number % 2 == 0 ? .idle({children[0].name}.State())
                      : .busy({children[1].name}.State())
                    return .none
                  case .{leaves}(.add(let number)):
                    if number % {chance.choice([2, 3, 5])} == 0 {{
                      state = .{other}({children[words.index(other)].name}.State())
                    }}
                    return .none
                  case .add(let number):
                    return .merge(.send(.idle(.add(number))), .send(.busy(.add(number))))
                  case .idle, .busy:
                    return .none
                  }}
                }}
                {(chr(10) + ' ' * 16).join(parts)}
              }}
            }}
            """)
        samples = [".add(1)", ".add(4)", ".become(0)", ".become(1)"]
        for word, child in zip(words, children):
            samples += [f".{word}({sample})" for sample in child.samples]
        return Feature(name, samples)

    def inner(self, depth, closes):
        chance = self.chance
        name = self.name("Part")
        state = ["var id = 0", "var sum = 0"]
        cases = ["case add(Int)", "case fan(Int)"]
        scopes, mounts, arms, quiet, sends = [], [], [], [], []
        samples = [".add(1)", ".add(6)", ".fan(2)", ".fan(3)"]
        resets = []
        for index in range(chance.choice([1, 2, 2, 3]) if self.count < LARGE else 1):
            label = f"c{index}"
            # One child goes as deep as may be.
            down = depth - 1 if index == 0 else chance.randint(1, min(2, depth - 1))
            kind = chance.choice(ALONE)
            self.kinds.add(kind)
            getattr(self, f"mount_{kind}")(
                label, down, state, cases, scopes, mounts, arms, samples, sends, resets)
            quiet.append(f".{label}")
        modulus = chance.choice([3, 4, 5])
        reset = chance.choice(resets) if resets else "state.sum = 0"
        send = ", ".join(f".send({text})" for text in sends) or ".send(.add(number))"
        arms = ["case .add(let number):", "  state.sum += number",
                f"  if state.sum % {modulus} == 0 {{ {reset} }}", "  return .none",
                "case .fan(let number):", f"  return .merge({send})"] + arms
        if closes:
            cases.append("case close")
            arms += ["case .close:", "  return .dismiss"]
            samples.append(".close")
        arms += [f"case {', '.join(quiet)}:", "  return .none"]
        self.reducer(name, state, cases, scopes, arms, mounts)
        return Feature(name, samples)

    def reducer(self, name, state, cases, scopes, arms, mounts):
        indent = " " * 4
        lines = ["@Reducer", f"struct {name} {{", "  @ObservableState", "  struct State: Identifiable {"]
        lines += [indent + line for line in state] + ["  }", "", "  enum Action {"]
        lines += [indent + line for line in cases] + ["  }", ""]
        if any("Cancel." in line for line in arms):
            lines += ["  enum Cancel { case load, later, timer }", ""]
        if any("random(" in line for line in arms):
            lines += ["  @Dependency(\\.random) var random", ""]
        lines += ["  var body: some ReducerOf<Self> {"]
        lines += [indent + line for line in scopes]
        lines += ["    Reduce { state, action in", "      switch action {"]
        lines += ["      " + line for line in arms] + ["      }", "    }"]
        lines += [indent + line for line in mounts] + ["  }", "}"]
        self.write("\n".join(lines))

    # Mounts

    def watch(self, label, pattern, arms, writes):
        """What the parent does when it sees its child's action."""
        chance = self.chance
        if chance.random() < 0.25:
            return
        modulus = chance.choice([2, 3, 5, 7])
        arms += [f"case .{label}({pattern}):", "  state.sum += number",
                 f"  if state.sum % {modulus} == 0 {{ {chance.choice(writes)} }}", "  return .none"]

    def mount_scope(self, label, depth, state, cases, scopes, mounts, arms, samples, sends, resets):
        child = self.feature(depth)
        state.append(f"var {label} = {child.name}.State()")
        cases.append(f"case {label}({child.name}.Action)")
        scopes.append(f"Scope(state: \\.{label}, action: \\.{label}) {{ {child.name}() }}")
        write = f"state.{label} = {child.name}.State()"
        self.watch(label, ".add(let number)", arms, [write, "state.sum += 1"])
        samples += [f".{label}({sample})" for sample in child.samples]
        sends.append(f".{label}(.add(number))")
        resets.append(write)

    def fresh(self, child, number="state.sum"):
        if child.name.startswith(f"{self.prefix}Modes"):
            return f"{child.name}.State()"
        return f"{child.name}.State(id: {number})"

    def comes_and_goes(self, label, shown, cases, arms, samples, resets):
        cases += [f"case show{label}(Int)", f"case hide{label}"]
        arms += [f"case .show{label}(let number):", f"  state.{label} = {shown}", "  return .none",
                 f"case .hide{label}:", f"  state.{label} = nil", "  return .none"]
        samples += [f".show{label}(0)", f".show{label}(1)", f".show{label}(1)", f".hide{label}"]
        resets.append(f"state.{label} = nil")

    def mount_optional(self, label, depth, state, cases, scopes, mounts, arms, samples, sends, resets):
        child = self.feature(depth)
        state.append(f"var {label}: {child.name}.State?")
        cases.append(f"case {label}({child.name}.Action)")
        mounts.append(f".ifLet(\\.{label}, action: \\.{label}) {{ {child.name}() }}")
        self.comes_and_goes(label, self.fresh(child, "number"), cases, arms, samples, resets)
        self.watch(label, ".add(let number)", arms, [
            f"state.{label} = nil", f"state.{label} = {self.fresh(child)}", "state.sum += 1"])
        samples += [f".{label}({sample})" for sample in child.samples]
        sends.append(f".{label}(.add(number))")

    def mount_presented(self, label, depth, state, cases, scopes, mounts, arms, samples, sends, resets):
        child = self.feature(depth, closes=True)
        state.append(f"@Presents var {label}: {child.name}.State?")
        cases.append(f"case {label}(PresentationAction<{child.name}.Action>)")
        mounts.append(f".ifLet(\\.${label}, action: \\.{label}) {{ {child.name}() }}")
        self.comes_and_goes(label, self.fresh(child, "number"), cases, arms, samples, resets)
        self.watch(label, ".presented(.add(let number))", arms, [
            f"state.{label} = nil", f"state.{label} = {self.fresh(child)}", "state.sum += 1"])
        samples += [f".{label}(.presented({sample}))" for sample in child.samples]
        samples.append(f".{label}(.dismiss)")
        sends.append(f".{label}(.presented(.add(number)))")

    def cases_of(self, depth):
        """An enum of features, for a destination or a path."""
        children = [self.feature(depth, closes=True), self.leaf(True)]
        name = self.name("Either")
        self.write(f"""
            @Reducer
            enum {name} {{
              case a({children[0].name})
              case b({children[1].name})
            }}
            """)
        return name, children

    def mount_destination(self, label, depth, state, cases, scopes, mounts, arms, samples, sends, resets):
        name, (a, b) = self.cases_of(depth)
        state.append(f"@Presents var {label}: {name}.State?")
        cases.append(f"case {label}(PresentationAction<{name}.Action>)")
        mounts.append(f".ifLet(\\.${label}, action: \\.{label})")
        shown = f"number % 2 == 0 ? .a({self.fresh(a, 'number')}) : .b({self.fresh(b, 'number')})"
        self.comes_and_goes(label, shown, cases, arms, samples, resets)
        self.watch(label, ".presented(.a(.add(let number)))", arms, [
            f"state.{label} = nil", f"state.{label} = .b({self.fresh(b)})", "state.sum += 1"])
        for case, child in (("a", a), ("b", b)):
            samples += [f".{label}(.presented(.{case}({sample})))" for sample in child.samples]
        samples.append(f".{label}(.dismiss)")
        sends.append(f".{label}(.presented(.a(.add(number))))")

    def mount_rows(self, label, depth, state, cases, scopes, mounts, arms, samples, sends, resets):
        # An element needs an id.
        child = self.inner(depth, False) if depth > 1 else self.leaf(False)
        state.append(f"var {label}: IdentifiedArrayOf<{child.name}.State> = []")
        cases += [f"case {label}(IdentifiedAction<Int, {child.name}.Action>)",
                  f"case insert{label}(Int)", f"case remove{label}(Int)", f"case turn{label}"]
        mounts.append(f".forEach(\\.{label}, action: \\.{label}) {{ {child.name}() }}")
        arms += [f"case .insert{label}(let id):",
                 f"  if state.{label}[id: id] == nil {{ state.{label}.append({child.name}.State(id: id)) }}",
                 "  return .none",
                 f"case .remove{label}(let id):", f"  state.{label}.remove(id: id)", "  return .none",
                 f"case .turn{label}:",
                 f"  state.{label} = IdentifiedArrayOf(uniqueElements: state.{label}.reversed())",
                 "  return .none"]
        self.watch(label, ".element(let id, .add(let number))", arms, [
            f"state.{label}.remove(id: id)", f"state.{label}[id: id]?.sum = 0"])
        samples += [f".insert{label}({id})" for id in range(5)]
        samples += [f".remove{label}(1)", f".remove{label}(3)", f".turn{label}"]
        for id in range(4):
            some = self.chance.sample(child.samples, min(6, len(child.samples)))
            samples += [f".{label}(.element(id: {id}, action: {sample}))" for sample in some]
        sends.append(f".{label}(.element(id: 2, action: .add(number)))")
        resets.append(f"state.{label} = []")

    def mount_stack(self, label, depth, state, cases, scopes, mounts, arms, samples, sends, resets):
        name, (a, b) = self.cases_of(depth)
        state.append(f"var {label} = StackState<{name}.State>()")
        cases += [f"case {label}(StackAction<{name}.State, {name}.Action>)", f"case push{label}(Int)",
                  f"case pop{label}"]
        mounts.append(f".forEach(\\.{label}, action: \\.{label})")
        arms += [f"case .push{label}(let number):",
                 f"  if state.{label}.count < 4 {{",
                 f"    state.{label}.append("
                 f"number % 2 == 0 ? .a({self.fresh(a, 'number')}) : .b({self.fresh(b, 'number')}))",
                 "  }", "  return .none",
                 f"case .pop{label}:",
                 f"  if !state.{label}.isEmpty {{ state.{label}.removeLast() }}", "  return .none"]
        self.watch(label, ".element(_, .a(.add(let number)))", arms, [
            f"state.{label}.removeAll()", f"state.{label}.append(.b({self.fresh(b)}))",
            "state.sum += 1"])
        samples += [f".push{label}(0)", f".push{label}(1)", f".push{label}(2)", f".pop{label}"]
        for id in range(6):
            for case, child in (("a", a), ("b", b)):
                some = self.chance.sample(child.samples, min(3, len(child.samples)))
                samples += [f".{label}(.element(id: {id}, action: .{case}({sample})))" for sample in some]
        samples.append(f".{label}(.popFrom(id: 1))")
        sends.append(f".{label}(.element(id: 1, action: .a(.add(number))))")
        resets.append(f"state.{label}.removeAll()")

    # The application

    def source(self):
        depth = self.chance.randint(2, DEEPEST)
        root = self.inner(depth, False)
        most = 60
        samples = root.samples
        if len(samples) > most:
            samples = self.chance.sample(samples, most)
        listed = "\n".join(f"      .action({sample})," for sample in samples)
        app = "\n".join([
            f"struct Composition{self.number}: PenstockApp {{",
            f'  static let name = "composition-{self.number}"',
            "  static let operations: [any WorkerOperation.Type] = [Twice.self, Some.self]",
            f"  var root: {root.name} {{ {root.name}() }}",
            f"  var initialState: {root.name}.State {{ {root.name}.State() }}",
            f"  var samples: [Sample<{root.name}.Action>] {{", "    [", listed,
            "      .output(4, of: Twice.self), .output(9, of: Twice.self),",
            "      .output(1, of: Some.self), .output(6, of: Some.self),",
            "    ]", "  }", "}", ""])
        return "import Penstock\n\n" + "\n".join(self.parts) + "\n" + app


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    for old in os.listdir(options.directory):
        os.remove(os.path.join(options.directory, old))
    kinds = set()

    def write(name, text):
        with open(os.path.join(options.directory, name), "w") as file:
            file.write(text)

    for number in range(options.count):
        composition = Composition(number, random.Random(f"{options.seed}.{number}"))
        write(f"Composition{number}.swift", composition.source())
        kinds |= composition.kinds
    missing = set(ALONE) | {"cases", "chain", "load", "stream", "later", "timer", "draw", "close"}
    missing -= kinds
    if missing and options.count >= 60:
        raise SystemExit(f"no composition has: {', '.join(sorted(missing))}")
    write("Operations.swift", textwrap.dedent("""\
        import Penstock

        @Operation
        struct Twice {
          var number: Int

          func run(_ context: OperationContext) async throws -> Int { 2 * number }
        }

        @Operation
        struct Some: StreamingOperation {
          var count: Int

          func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
            for number in 0..<count { try await output(number) }
          }
        }
        """))
    arms = "\n".join(
        f'case "{number}": ApplicationMain.run(Composition{number}())'
        for number in range(options.count))
    write("main.swift", "import Glibc\nimport Penstock\nimport PenstockRuntime\n\n"
          'switch getenv("COMPOSITION").map({ String(cString: $0) }) {\n' + arms
          + '\ndefault: fatalError("COMPOSITION names none of the compositions")\n}\n')


main()
