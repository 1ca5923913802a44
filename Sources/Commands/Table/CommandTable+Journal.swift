extension CommandTable {
  private static let patience = Option(
    "--timeout", value: "DURATION",
    help: "How long a reducer may take for one record (default 60s)")

  static let verify = Command(
    name: .verify, usage: "APP [JOURNAL]", words: 1...2,
    summary: "Replay a journal with an application's build, and compare",
    details: [
      "APP is an application's executable: a path, or a name as the supervisor finds it. JOURNAL is "
        + "by default the one that the supervisor keeps for it; a router may be writing it.",
      "What the records give now is compared with each checkpoint: state, living effects, mounts. "
        + "Code 1 means that something differs, and what. A record that could not have followed is "
        + "named; another difference is known to lie between two checkpoints, and --against finds the "
        + "record.",
      "Records after the last checkpoint are reduced too. One on which the reducer traps is named: "
        + "with code 1 when the journal says that it was reduced once, with code 6 when it does not "
        + "say yet what became of it.",
    ],
    options: [
      Option(
        "--against", value: "OLD",
        help:
          "The build that wrote the journal: it and APP reduce the records one by one until they "
          + "differ"),
      Option(
        "--through", value: "SEQ",
        help: "The last record (default: all); with --json also the state after it"),
      patience,
    ],
    examples: [
      "penstock verify uptime",
      "penstock verify ./new/uptime journal.sqlite --against ./old/uptime",
    ])

  static let export = Command(
    name: .export, usage: "APP [JOURNAL]", words: 1...2,
    summary: "Write a stretch of history as a test",
    details: [
      "APP is an application's executable: a path, or a name as the supervisor finds it. JOURNAL is "
        + "by default the one that the supervisor keeps for it; it must begin with record 0.",
      "-o swift-test prints the source of a TestStore test: what came from outside is sent and "
        + "answered, what followed is received, and each change of the state is written out. What "
        + "can't be written as Swift is decoded from JSON. Times and what reducers draw are those of "
        + "the test store.",
    ],
    options: [
      Option(
        "-o", "--output", value: "FORMAT", choices: ["swift-test"], help: "swift-test"),
      Option("--from", value: "SEQ", help: "The first record (default 1)"),
      Option("--through", value: "SEQ", help: "The last record (default: all)"),
      patience,
    ],
    examples: ["penstock export uptime -o swift-test --through 40 > Tests/IncidentTests.swift"])

  static let checkpoint = Command(
    name: .checkpoint, usage: "", words: 0...0,
    summary: "Write a checkpoint at the head of the order",
    details: [
      "It prints the number of the record that the checkpoint covers once it is durable. "
        + "`supervisor restart` uses --hold, so that a new build of a feature begins with a state and "
        + "reduces nothing again."
    ],
    options: [
      Option(
        "--hold", value: "PATH",
        help:
          "Before it, hold what needs the feature at PATH, until a new process registers for it or "
          + "15 s have passed")
    ],
    examples: ["penstock checkpoint --hold /targets"])

  static let journal = Command(
    name: .journal, usage: "VERB FILE [TO]", words: 2...3,
    summary: "Verify, count, export, import, compact or copy a journal",
    details: [
      "verify FILE compares every entry's hash, looks for gaps and for the checkpoint, and whether "
        + "the end is the one that was written. Code 1 means that the journal is damaged.",
      "stat FILE says what it holds: entries of each kind, records, checkpoints, starts, bytes.",
      "export FILE prints it as lines of JSON, one an entry; import FILE makes a journal of what "
        + "such an export on standard input says, with the same chain of hashes.",
      "backup FILE TO copies it as of one moment, while a router writes it. To restore, start the "
        + "router on the copy.",
      "compact FILE forgets what exceeds --retain and gives its room back. No router may be "
        + "running on it; a running router forgets by itself, and uses the room again.",
    ],
    options: [
      Option(
        "--retain", value: "LIMITS",
        help: "What compact keeps: 7d, 8GB, a number of records, several with commas, or all "
          + "(default); 0 keeps what a start needs")
    ],
    examples: [
      "penstock journal verify journal.sqlite",
      "penstock journal export journal.sqlite | penstock journal import copy.sqlite",
      "penstock journal compact journal.sqlite --retain 1d,1GB",
    ])
}
