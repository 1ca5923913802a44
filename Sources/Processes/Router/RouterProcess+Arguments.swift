import Machines
import SQLiteJournal
import ZeroMQ

extension RouterProcess {
  /// What is said about the journal and the order, wherever a router runs.
  package static let orderOptions: [ProcessCommand.Option] = [
    .init("--journal", "FILE", "where the order is kept; default journal.sqlite in DIR"),
    .init(
      "--no-durability", nil,
      "don't wait for the disk: a power failure or a crash of the system may lose the last seconds"),
    .init(
      "--retain", "LIMITS",
      "what the journal keeps: 7d, 8GB, a number of records, several with commas, or all; what a "
        + "start needs stays in any case; default \(Retention.standardText)"),
    .init(
      "--replay-with-new-code", nil,
      "features of another build may reduce again what the old one reduced since the last checkpoint"
    ),
    .init(
      "--window", "N|adaptive", "how far features run ahead of a parent that writes to them"),
  ]

  package static let command = ProcessCommand(
    name: "penstock-router",
    summary: "The router of a Penstock application: gives actions their order, keeps the journal.",
    options: [
      .init("--app", "NAME", "the application; without it the first process to register says so"),
      .init("--place", "PATH", "a feature that is a process of its own; may be repeated"),
      .init("--endpoint", "ENDPOINT", "listen there too: ipc://PATH or tcp://127.0.0.1:PORT"),
    ] + orderOptions + ProcessCommand.common)
}

extension RouterProcess.Options {
  /// - Throws: `UsageError` or `TransportError`.
  package init(_ arguments: ParsedArguments, application: String) throws {
    self.init(
      directory: arguments.runDirectory(application: application), application: application)
    if let journal = arguments["--journal"] { self.journal = journal }
    isFresh = arguments.has("--fresh")
    if arguments.has("--no-durability") { durability = .processOnly }
    replaysWithNewCode = arguments.has("--replay-with-new-code")
    if let text = arguments["--retain"] {
      guard let retention = Retention(text: text) else {
        throw UsageError(
          "--retain \(text) is no limit of a journal",
          "It takes 7d (s, m, h, d), 8GB (kB, MB, GB, TB), a number of records, or all")
      }
      self.retention = retention
    }
    placement = try arguments.paths("--place")
    if let text = arguments["--window"] {
      window =
        text == "adaptive"
        ? .adaptive(bound: 1_024)
        : .fixed(try arguments.number("--window", in: 1...100_000) ?? 1)
    }
    endpoint = try arguments["--endpoint"].map { try Endpoint($0) }
  }
}
