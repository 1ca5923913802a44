/// The table of commands: parser and help come from it.
package enum CommandTable {
  package static let version = "0.1.0"

  package static let globals: [Option] = [
    Option(
      "-S", "--system", value: "NAME",
      synonyms: ["--run-dir", "--run-directory", "--name"],
      help:
        "The system: its name, or its run directory (with a slash); default: $PENSTOCK_SYSTEM, or "
        + "the only one that runs"),
    Option(
      "-o", "--output", value: "FORMAT", choices: ["text", "json", "jsonl"],
      synonyms: ["--format"],
      help: "text, or JSON: one object, or one a line where records follow each other"),
    Option("--json", help: "The same as -o json"),
    Option(
      "--color", value: "WHEN", choices: ["auto", "always", "never"],
      help: "auto (the default), always or never"),
    Option("-q", "--quiet", help: "Only the answer: no headings and no remarks on standard error"),
    Option(
      "--timeout", value: "DURATION",
      help: "How long to wait for an answer: 500ms, 5s (default), 2m"),
    Option("-h", "--help", help: "This help; help COMMAND has more"),
    Option("--version", help: "The version"),
  ]

  package static let commands: [Command] = [
    `init`, tap, send, state, ps, ready, trace, effects, quarantine, simulate, compare, verify,
    export, journal, checkpoint, help,
  ]

  package static func command(_ name: Command.Name) -> Command {
    guard let command = commands.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is missing in the table")
    }
    return command
  }

  static let tap = Command(
    name: .tap, usage: "[FILTER...]", words: 0...64,
    summary: "Show actions, effects and processes as they happen",
    details: [
      "A FILTER is a path (/targets: it and everything below; * stands for anything within a "
        + "component), a kind (action, effect, process) or the name of an action or operation "
        + "(add, probe*). Filters of one sort are alternatives, sorts must all match, and ! "
        + "before a filter excludes.",
      "Code 4 means that the application has no scope at any of the paths; one of several is only "
        + "warned of.",
      "Looking slows nothing down: who reads too slowly loses records, and each loss is a row of "
        + "the kind GAP. Ctrl-C ends with a summary and code 0; with --for, code 1 means that "
        + "nothing (or less than -c asks for) matched.",
    ],
    options: [
      Option(
        "-c", "--count", value: "N", synonyms: ["-n", "--number"],
        help: "Stop after N matching records"),
      Option(
        "--for", value: "DURATION", synonyms: ["--duration"], help: "Stop after this time"),
      Option(
        "-v", "--verbose", isRepeatable: true,
        help:
          "Payloads too; -vv also what changed in the state (the features then encode their changes)"
      ),
      Option(
        "-w", "--write", value: "FILE",
        help:
          "Write a recording (- is standard output): the state now, then every record with what it "
          + "changed, as JSON lines. `replay` of PenstockTesting reduces it again in a test"),
    ],
    examples: [
      "penstock tap -w run.jsonl --for 1m",
      "penstock tap /targets '!effect'", "penstock tap -c 1 --for 5s add || echo none",
      "penstock tap --json | jq .lat",
    ])

  static let send = Command(
    name: .send, usage: "PATH ACTION [VALUE]", words: 2...3,
    summary: "Send an action and print what became of it",
    details: [
      "ACTION is the action as JSON ('{\"add\":{\"url\":\"http://a\"}}'), or the name of its case; "
        + "VALUE is then the case's value as JSON. - reads the JSON from standard input, @FILE "
        + "from a file.",
      "It prints the number that the action got once it is committed (and durable, unless the "
        + "system runs without). Code 1 means that the action was numbered and voided, 6 that it "
        + "was refused; with --wait, 1 also that an effect failed.",
      "With --lines, ACTION is - or @FILE, and each line of it is an action as JSON; a row a line "
        + "says what became of it, and what is refused holds up none of those behind it. A line that is no "
        + "JSON ends the command with code 2; of those before it, what has no row may have been sent.",
    ],
    options: [
      Option("-c", "--count", value: "N", help: "Send it N times"),
      Option("--lines", help: "Send each line of ACTION"),
      Option(
        "--in-flight", value: "N", help: "How many lines are on their way at a time (default 64)"),
      Option("--wait", help: "Wait for all that it causes, but for timers; print the trace"),
    ],
    examples: [
      "penstock send /targets add '{\"url\":\"http://localhost:8080/\"}'",
      "penstock send /settings setInterval 5000 --wait",
      "penstock send / clearIncidents -c 100", "penstock send /targets @targets.jsonl --lines",
    ])

  static let state = Command(
    name: .state, usage: "[PATH]", words: 0...1,
    summary: "Print the state at a path, merged from all processes",
    details: [
      "Each print is one consistent cut. Code 1 means that nothing is mounted at the path."
    ],
    options: [
      Option(
        "--watch", synonyms: ["-f", "--follow"], help: "Go on with each change until Ctrl-C"),
      Option("--for", value: "DURATION", help: "Stop watching after this time, with code 0"),
    ],
    examples: [
      "penstock state /settings", "penstock state --watch /targets",
      "penstock state --watch --for 10s --json /",
    ])

  static let ps = Command(
    name: .ps, usage: "", words: 0...0, summary: "List the system's processes",
    details: [
      "Code 0 whatever their state; `ready` is the command that judges.",
      "BACK counts how often a feature registered again with the present router, which begins to "
        + "count when it starts; of the router itself it counts the earlier starts on its journal. "
        + "ENDED in `supervisor status` counts ends of processes since `up` instead, also of those that "
        + "never registered, and of workers, which are new ones for the router each time.",
    ],
    options: [Option("--tree", help: "Features below each other, as they are mounted")],
    examples: ["penstock ps --tree"])

  static let ready = Command(
    name: .ready, usage: "", words: 0...0,
    summary: "Wait until every process has registered and state is served",
    details: ["It says what is missing when it gives up: code 5."],
    options: [
      Option(
        "--feature", value: "PATH", isRepeatable: true,
        help: "A feature that must be up (default: those that the router knows)"),
      Option("--workers", value: "N", help: "How many workers must be up (default 0)"),
    ],
    examples: ["penstock ready --timeout 10s --workers 2"])

  static let trace = Command(
    name: .trace, usage: "SEQ", words: 1...1,
    summary: "Show what an action caused: actions and effects as a tree",
    details: [
      "Code 4 means that the router has no such action, or keeps it no longer: it keeps the latest "
        + "since its start. The journal has older ones, and the error says the command that shows "
        + "them."
    ],
    options: [], examples: ["penstock trace 48213"])

  static let effects = Command(
    name: .effects, usage: "[ID]", words: 0...1, summary: "List the effects and timers that live",
    details: [
      "An effect fails for good when its attempts are used up, or with an error that is not one to "
        + "try again. With --failed the latest of those are listed; they outlive restarts.",
      "With --retry the failed effect ID is started once more, as a new effect of the same feature, "
        + "whose outputs are actions like those of the first. Code 6 means that what started it is "
        + "not mounted any more, 4 that it is not among the failed ones.",
    ],
    options: [
      Option("--failed", help: "List those that failed for good"),
      Option("--retry", help: "Start ID again"),
    ],
    examples: [
      "penstock effects --json | jq '.effects[].operation'", "penstock effects --failed",
      "penstock effects '48213/targets#0' --retry",
    ])

  static let quarantine = Command(
    name: .quarantine, usage: "[SEQ]", words: 0...1,
    summary: "List actions that ended their feature and were set aside",
    details: [
      "An action that ended its feature's process three times is set aside (poison), and so is one "
        + "of a feature that sends without end (runaway); everything else goes on. SEQ prints that "
        + "action with its payload.",
      "With --retry it is sent again, as a new action, when its feature is mended. Code 1 means that "
        + "it was set aside again, 4 that it is not in quarantine.",
    ],
    options: [Option("--retry", help: "Send SEQ again")],
    examples: ["penstock quarantine", "penstock quarantine 48213 --retry"])

  static let simulate = Command(
    name: .simulate, usage: "", words: 0...0,
    summary: "Run whole systems under faults from seeds, judged by the oracle",
    details: [
      "Each seed is a system of router, features, workers and clients in one thread, on a network "
        + "and a disk that fail. The order that comes out of it is replayed, and every state that "
        + "was published must be equal to the oracle's; many more invariants are checked.",
      "A failure names the broken invariant, seed and revision. The seed is made small: the line "
        + "that runs the small case again is printed, and its steps are in the trace file that is "
        + "named.",
      "Code 1 means that an invariant broke, that a planted bug was not found, that too few "
        + "squashes, unmounts, voids or restarts happened for the run to mean much, or that one of "
        + "the rare paths listed was not reached in 1,000 seeds or more.",
      "Your own application is simulated by its executable: APP simulate.",
    ],
    options: [
      Option(
        "--seeds", value: "N",
        help: "How many seeds (default 1000). With --planted 50, and up to 20 times as many "
          + "for a bug that has not shown"),
      Option("--from", value: "N", help: "The first seed (default 1)"),
      Option("--seed", value: "N", help: "Only this seed"),
      Option(
        "--keep", value: "CASE", help: "Only these of the seed's actions, faults and processes"),
      Option(
        "--window", value: "W",
        help: "How far features run ahead: a number, or adaptive (default)"),
      Option("--actions-per-seed", value: "N", help: "Actions of clients (default 300)"),
      Option("--app", value: "NAME", help: "tree (default) or uptime"),
      Option(
        "--planted",
        help: "Plant each of the known bugs, and say in how many seeds it is found"),
      Option(
        "--bug", value: "NAME", help: "Plant the bug that has this in its name"),
      Option("--no-faults", help: "Nothing is lost, stopped or killed"),
      Option("--no-shrink", help: "Don't make failing seeds small"),
      Option("--trace", value: "FILE", help: "Where the steps of a seed are written"),
    ],
    examples: [
      "penstock simulate --seeds 10000 --window 7",
      "penstock simulate --seed 4711 --trace 4711.trace",
    ])

  static let compare = Command(
    name: .compare, usage: "APP LIST", words: 2...2,
    summary: "Play recorded actions in three placements, each against the oracle",
    details: [
      "APP is an application's executable: a path, or a name as the supervisor finds it. LIST is a "
        + "file of actions, one JSON object a line: path, payload and after_ms; its first line may "
        + "say what must happen at least, as in {\"minimum\":{\"sends\":100}}.",
      "The list is played by systems in a temporary directory, with a router and two workers: every "
        + "placeable scope a process, all scopes in one, and every second one a process. When all "
        + "actions and effects are settled, the recorded order of each is replayed by the oracle, "
        + "and that of the first by a router that recovers from it with all scopes in one process. "
        + "Code 1 means that a state's hash differs, that the order is not a possible one, or that "
        + "a count of the first is below its minimum.",
    ],
    options: [
      Option(
        "--window", value: "W", help: "How far features run ahead: a number, or adaptive")
    ],
    examples: ["penstock compare uptime Tests/Recordings/uptime-churn.actions.jsonl"])

  static let help = Command(
    name: .help, usage: "[COMMAND]", words: 0...1, summary: "Show the help of a command",
    details: [], options: [], examples: [])
}
