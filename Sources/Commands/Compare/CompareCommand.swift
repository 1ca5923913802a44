import Machines
import PenstockCore
import Platform
import SQLiteJournal
import SimulationRunner
import ZeroMQ

/// `penstock compare`: a list of actions in three placements, each against the oracle, and one of
/// their orders recovered in one process.
struct CompareCommand {
  private let invocation: Invocation
  private let output: Output
  private let supervision: Supervision
  private let context: Context

  init(
    _ invocation: Invocation, _ output: Output, _ supervision: Supervision, _ context: Context
  ) {
    self.invocation = invocation
    self.output = output
    self.supervision = supervision
    self.context = context
  }

  func run() throws -> Int32 {
    let list = try ActionList(InputFile.read(invocation.words[1]), named: invocation.words[1])
    // Looked at here, where a wrong word is an error of usage.
    let window = try invocation.window()?.word
    let work = try WorkDirectory()
    do {
      let report = try compare(list, window: window, in: work)
      work.isKept = !report.differences.isEmpty
      try output.write(invocation.isJSON ? report.json + "\n" : report.text)
      if work.isKept { output.remark("journals and logs are in \(work.path)\n") }
      return report.differences.isEmpty ? 0 : CommandFailure.Status.negative.rawValue
    } catch let failure as CommandFailure {
      if failure == .interrupted || work.isEmpty { throw failure }
      work.isKept = true
      var failure = failure
      failure.details.append("Journals and logs are in \(work.path)")
      throw failure
    }
  }

  private func compare(
    _ list: ActionList, window: String?, in work: WorkDirectory
  ) throws -> CompareReport {
    let application = try Executable.find(invocation.words[0])
    var parts = ComparedSystem.Parts(
      application: application, router: try Executable.find("penstock-router"),
      scopes: try scopes(application, work), workers: 2, window: window)
    var report = CompareReport(
      title: "\(list.actions.count) actions, window \(window ?? "as the router's"), "
        + "\(parts.scopes.count) features, \(parts.workers) workers")
    for (name, count) in list.minimum { report.minimum[name] = count }

    // Each run has an order of its own: what effects give comes when it comes.
    let many = Run(name: "many", holder: "a process for each feature", scopes: parts.scopes)
    let asOf = try compare(list, many, parts, in: work, &report, isCounted: true)
    for run in Run.others(parts.scopes) {
      _ = try compare(list, run, parts, in: work, &report, isCounted: false)
    }

    parts.scopes = ["/"]
    parts.workers = 0
    let one = try recover(parts, last: asOf, work)
    let again = try replay(application, work.file("recovered.sqlite"), at: [one.asOf], work)
    report.states.append(
      .init(holder: "recovered in one process", asOf: one.asOf, hash: SHA256.hex(of: one.state)))
    add(again, as: "oracle", at: one.asOf, to: &report)
    return report
  }

  /// Where the scopes are while the list is played.
  private struct Run {
    var name: String
    var holder: String
    var scopes: [String]

    /// Besides a process for each scope: one for all, and one for every second scope.
    static func others(_ scopes: [String]) -> [Run] {
      let mixed =
        ["/"]
        + scopes.filter { $0 != "/" }.enumerated().filter { $0.offset % 2 == 0 }
        .map(\.element)
      var runs = [Run(name: "one", holder: "one process", scopes: ["/"])]
      if mixed.count > 1, mixed.count < scopes.count {
        runs.append(Run(name: "mixed", holder: "\(mixed.count) processes", scopes: mixed))
      }
      return runs
    }
  }

  /// Plays the list and compares what came of it with the oracle's replay of its order.
  /// - Returns: the last record.
  private func compare(
    _ list: ActionList, _ run: Run, _ parts: ComparedSystem.Parts, in work: WorkDirectory,
    _ report: inout CompareReport, isCounted: Bool
  ) throws -> UInt64 {
    var parts = parts
    parts.scopes = run.scopes
    let rest = try play(list, parts, run.name, work, &report)
    let oracle = try replay(
      parts.application, work.file("\(run.name).sqlite"),
      at: rest.published.states.map(\.asOf) + [rest.asOf], work)
    check(rest.published, oracle, &report)
    report.states.append(
      .init(holder: run.holder, asOf: rest.asOf, hash: SHA256.hex(of: rest.state)))
    add(oracle, as: "oracle", at: rest.asOf, to: &report)
    guard isCounted else { return rest.asOf }
    for name in ["sends", "outputs", "timers"] { report.counts[name] = oracle[name].integer ?? 0 }
    for (name, member) in [("squashes", "squashes"), ("voids", "voids"), ("unmounts", "unmounted")]
    {
      report.counts[name] = rest.report[member].integer ?? 0
    }
    return rest.asOf
  }

  /// The paths that can have processes of their own.
  private func scopes(_ application: String, _ work: WorkDirectory) throws -> [String] {
    _ = try ApplicationRole(application, work: work, patience: nil).name()
    let text = try outputs(of: application, ["describe", "--placeable"], work)
    return text.split(separator: "\n").map(String.init)
  }

  private func play(
    _ list: ActionList, _ parts: ComparedSystem.Parts, _ name: String, _ work: WorkDirectory,
    _ report: inout CompareReport
  ) throws -> ComparedSystem.Rest {
    let system = try start(parts, name, work)
    defer { system.stop() }
    try system.waitUntilReady()
    let refused = try system.play(list)
    if refused > 0 { report.faults.append("\(refused) actions were refused") }
    return try system.rest()
  }

  /// One process takes the whole journal, from record 0.
  private func recover(
    _ parts: ComparedSystem.Parts, last: UInt64, _ work: WorkDirectory
  ) throws -> ComparedSystem.Rest {
    try copyJournal(work.file("many.sqlite"), to: work.file("recovered.sqlite"))
    let system = try start(parts, "recovered", work)
    defer { system.stop() }
    try system.waitUntilReady()
    return try system.rest(after: last)
  }

  private func start(
    _ parts: ComparedSystem.Parts, _ name: String, _ work: WorkDirectory
  ) throws -> ComparedSystem {
    let system = try ComparedSystem(
      parts, directory: RunDirectory(path: work.file(name)), journal: work.file("\(name).sqlite"),
      logs: work.file("\(name).log"), supervision: supervision, context: context)
    system.allow(try invocation.duration("timeout") ?? .seconds(120))
    return system
  }

  /// Later checkpoints are left out, so that recovery reduces everything again.
  private func copyJournal(_ source: String, to target: String) throws {
    let entries = try SQLiteJournal.entries(path: source, application: "").filter { entry in
      if case .checkpoint(let sequence, _) = entry { sequence == 0 } else { true }
    }
    let reports = Inbox<JournalReport>()
    let journal = try SQLiteJournal(
      path: target, application: "", durability: .processOnly, reports: reports)
    journal.append(entries, ticket: 1)
    journal.close()
    guard reports.take() == [.durable(ticket: 1)] else {
      throw CommandFailure(.bug, "PS-K07", "the journal could not be copied to \(target)")
    }
  }

  // MARK: The oracle

  private func replay(
    _ application: String, _ journal: String, at sequences: [UInt64], _ work: WorkDirectory
  ) throws -> JSONValue {
    let places = sequences.flatMap { ["--at", "\($0)"] }
    let text = try outputs(of: application, ["replay", "--journal", journal] + places, work)
    return try JSONValue(Bytes(text.utf8))
  }

  private func check(
    _ published: PublishedStates, _ oracle: JSONValue, _ report: inout CompareReport
  ) {
    report.published += published.states.count
    for (asOf, bytes) in published.states
    where oracle["hashes"]["\(asOf)"].text != SHA256.hex(of: bytes) {
      report.faults.append("the state published as of \(asOf) differs from the oracle's")
    }
  }

  private func add(
    _ oracle: JSONValue, as holder: String, at sequence: UInt64, to report: inout CompareReport
  ) {
    report.states.append(
      .init(
        holder: holder, asOf: sequence, hash: oracle["hashes"]["\(sequence)"].text ?? "none"))
    if let divergence = oracle["divergence"].text { report.faults.append(divergence) }
  }

  /// Runs one of the application's roles to its end.
  private func outputs(
    of application: String, _ arguments: [String], _ work: WorkDirectory
  ) throws -> String {
    let file = work.file("output-\(arguments[0])-\(SystemClock.monotonic)")
    let log = work.file("\(arguments[0]).log")
    let process = try SpawnedProcess(
      application, arguments, log: log, output: file, hasLifeline: false)
    let code = process.wait(milliseconds: 120_000)
    let text = String(decoding: try InputFile.read(file), as: UTF8.self)
    // A divergence stands in the output.
    guard code == 0 || (code == 1 && !text.isEmpty) else {
      let reason = String(decoding: try InputFile.read(log), as: UTF8.self)
      throw CommandFailure(
        .negative, "PS-K08", "\(application) \(arguments[0]) ended with code \(code)", reason)
    }
    return text
  }
}
