import CSystem
import Glibc
import Machines
import Penstock
import PenstockCore
import Platform
import Processes
import SQLiteJournal
import ZeroMQ

/// The roles of an application's binary, by its command line.
struct ApplicationRoles<App: PenstockApp> {
  let name: String
  let application: Application<App>

  private static var endpointOption: ProcessCommand.Option {
    .init("--endpoint", "ENDPOINT", "where the router is; default its socket in DIR")
  }

  private static var workerOptions: [ProcessCommand.Option] {
    [
      .init("--slots", "K", "effects that run at a time; default 4"),
      .init("--queue", "QUEUE", "a queue to serve; may be repeated; default \"default\""),
      .init(
        "--set", "NAME=TEXT",
        "a dependency of operations; may be repeated; one of: \(configurableNames)"),
      .init("--preview", nil, "dependencies that have a preview are that, instead of live"),
    ]
  }

  private static var configurableNames: String {
    let names = App.configurableDependencies.map { declaredName(of: $0) }
    return names.isEmpty ? "none of this application" : names.joined(separator: " ")
  }

  private var feature: ProcessCommand {
    ProcessCommand(
      name: "\(name) feature", words: ["PATH"],
      summary: "The process of one feature. It registers with the router and gets its state there.",
      options: [
        .init("--place", "PATH", "all features that are processes of their own; repeated"),
        Self.endpointOption,
      ] + ProcessCommand.common)
  }

  private var worker: ProcessCommand {
    ProcessCommand(
      name: "\(name) worker",
      summary: "Runs operations. On SIGTERM it finishes what runs, or hands it back.",
      options: [
        .init("--name", "NAME", "its name in reports; default worker-PID"),
        .init("--grace", "SECONDS", "how long what runs may take to finish; default 10"),
        Self.endpointOption,
      ] + Self.workerOptions + ProcessCommand.common)
  }

  private var describe: ProcessCommand {
    ProcessCommand(
      name: "\(name) describe",
      summary: "Prints what the application consists of, as JSON, without running anything.",
      options: [
        .init("--placeable", nil, "only the paths that can have a process of their own, as lines"),
        .init(
          "--set", "NAME=TEXT", "say whether `worker` and `run` would take it; may be repeated"),
      ])
  }

  private static var progressOption: ProcessCommand.Option {
    .init("--progress", "FILE", "a page that gets the record that is reduced; for penstock")
  }

  private var replay: ProcessCommand {
    ProcessCommand(
      name: "\(name) replay",
      summary: "Replays a journal's order in the oracle and prints what came of it, as JSON.",
      options: [
        .init("--journal", "FILE", "the journal; a router may be writing it"),
        .init("--at", "SEQ", "also the hash of the state after this record; may be repeated"),
      ])
  }

  private var verify: ProcessCommand {
    ProcessCommand(
      name: "\(name) verify",
      summary: "Replays a journal with this build and compares with its checkpoints; JSON.",
      options: [
        .init("--journal", "FILE", "the journal; a router may be writing it"),
        .init("--from", "SEQ", "begin at the checkpoint of this record; default the first one"),
        .init("--through", "SEQ", "end with this record, and print the state after it"),
        .init("--trace", nil, "before it a line about each record: its number and what came of it"),
        Self.progressOption,
      ])
  }

  private var export: ProcessCommand {
    ProcessCommand(
      name: "\(name) export",
      summary: "Prints a stretch of a journal's order as the source of a test.",
      options: [
        .init("--journal", "FILE", "the journal; a router may be writing it"),
        .init("--format", "FORMAT", "swift-test, which is the default"),
        .init("--from", "SEQ", "the first record; default 1"),
        .init("--through", "SEQ", "the last record; default all"),
        Self.progressOption,
      ])
  }

  private var simulate: ProcessCommand { ApplicationSimulation<App>.command(name) }

  private var wholeApplication: ProcessCommand {
    ProcessCommand(
      name: "\(name) run",
      summary: "The whole application in one process: router, features and worker.",
      options: [
        .init(
          "--journal", "FILE",
          "where the order is kept; default ~/.local/state/penstock/\(App.name)/journal.sqlite, "
            + "with --run-dir DIR journal.sqlite there"),
        .init("--fresh", nil, "begin anew: a journal that is there is moved to FILE.old-N"),
      ] + RouterProcess.orderOptions.dropFirst() + Self.workerOptions + ProcessCommand.common)
  }

  private var help: String {
    let all = [feature, worker, describe, replay, verify, export, simulate, wholeApplication]
    let roles = all.map { role in
      "  \((["\(role.name)"] + role.words).joined(separator: " ")) [OPTIONS]\n      \(role.summary)"
    }
    return """
      \(name): \(App.name), an application of Penstock

      \(roles.joined(separator: "\n"))

      "\(name) ROLE --help" says more.

      """
  }

  func run(_ arguments: [String], dependencies: DependencyValues) -> Never {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "feature": ProcessMain.run(feature, rest) { try runFeature($0) }
    case "worker": ProcessMain.run(worker, rest) { try runWorker($0, dependencies) }
    case "describe": ProcessMain.run(describe, rest) { try runDescribe($0) }
    case "replay":
      ProcessMain.run(replay, rest) {
        try OrderReport(application, $0, usage: replay.usage).print()
      }
    case "verify": ProcessMain.run(verify, rest) { try runVerify($0) }
    case "export": ProcessMain.run(export, rest) { try runExport($0) }
    case "simulate":
      ProcessMain.run(simulate, rest) {
        try ApplicationSimulation(application, $0, simulate).run()
      }
    case "run":
      ProcessMain.run(wholeApplication, rest) { arguments in
        try WholeApplication(
          application: application, router: routerOptions(arguments),
          worker: workerOptions(arguments, dependencies, of: wholeApplication),
          supervision: arguments.supervision()
        ).run()
      }
    case "--help", "-h", "help":
      ProcessMain.print(help)
      exit(0)
    case "--version":
      ProcessMain.print("\(name) (Penstock \(Release.version))\n")
      exit(0)
    case nil:
      ProcessMain.fail("\(name): no role is named\n\n\(help)", .usage)
    case let word?:
      ProcessMain.fail(
        "\(name): \"\(word)\" is no role; roles are feature, worker, describe, replay, verify, export, "
          + "simulate and run\n"
          + "  Try: \(name) --help\n", .usage)
    }
  }

  private func runFeature(_ arguments: ParsedArguments) throws -> ExitCode {
    let path = try arguments.path(arguments.words[0])
    if let obstacle = obstacle(to: path) {
      throw UsageError(obstacle, "\"\(name) describe --placeable\" lists what can be placed")
    }
    var options = FeatureProcess.Options(
      directory: arguments.runDirectory(application: App.name), path: path,
      placement: try arguments.paths("--place"))
    options.endpoint = try arguments["--endpoint"].map { try Endpoint($0) }
    penstock_bound_heap()
    penstock_release_memory()
    return FeatureProcess.run(
      options, application: application, supervision: try arguments.supervision(),
      log: Log(name: path.description))
  }

  private func obstacle(to path: Path) -> String? {
    guard let level = application.description.level(addressed: path) else {
      return "\(App.name) has no feature at \(path)"
    }
    return level.obstacle(toPlacing: path).map { "\(path) can't be a process of its own: \($0)" }
  }

  private func runWorker(
    _ arguments: ParsedArguments, _ dependencies: DependencyValues
  ) throws -> ExitCode {
    let options = try workerOptions(arguments, dependencies, of: worker)
    return WorkerProcess.run(
      options, description: application.description, operations: application.operations,
      supervision: try arguments.supervision(), log: Log(name: options.name))
  }

  /// The journal is where Deploy/supervisor has it, so that what one wrote the other goes on with.
  private func routerOptions(_ arguments: ParsedArguments) throws -> RouterProcess.Options {
    var options = try RouterProcess.Options(arguments, application: App.name)
    if arguments["--journal"] == nil, arguments["--run-dir"] == nil {
      let state = StateDirectory.standard(application: App.name)
      do {
        try state.make()
        options.journal = state.journal
      } catch {
        Log(name: "router").warning(
          "\(error.message); the journal is kept in the run directory",
          ["journal": options.journal])
      }
    }
    return options
  }

  private func workerOptions(
    _ arguments: ParsedArguments, _ dependencies: DependencyValues, of role: ProcessCommand
  ) throws -> WorkerProcess.Options {
    var options = WorkerProcess.Options(
      directory: arguments.runDirectory(application: App.name),
      name: arguments["--name"] ?? "worker-\(getpid())")
    options.slots = try arguments.number("--slots", in: 1...10_000) ?? 4
    let queues = arguments.all("--queue")
    if !queues.isEmpty { options.queues = queues }
    if let grace: Int64 = try arguments.number("--grace", in: 0...3_600) {
      options.grace = grace * 1_000_000
    }
    options.endpoint = try arguments["--endpoint"].map { try Endpoint($0) }
    options.dependencies = arguments.has("--preview") ? dependencies.previewing : dependencies
    for setting in arguments.all("--set") {
      try configure(&options.dependencies, setting, usage: role.usage)
    }
    return options
  }

  /// - Parameters:
  ///   - setting: `NAME=TEXT`.
  ///   - usage: of the role that was given it.
  private func configure(
    _ dependencies: inout DependencyValues, _ setting: String, usage: String
  ) throws {
    guard let mark = setting.firstIndex(of: "="),
      let key = App.configurableDependencies.first(where: {
        declaredName(of: $0) == setting[..<mark]
      })
    else {
      throw UsageError(
        "--set takes NAME=TEXT with a NAME of: \(Self.configurableNames); not \(setting)",
        "\(usage); --set may be repeated")
    }
    do {
      try dependencies.configure(key, by: String(setting[setting.index(after: mark)...]))
    } catch {
      throw UsageError("--set \(setting): \(error)", usage)
    }
  }

  /// The exit code says whether everything came out as it did.
  private func runVerify(_ arguments: ParsedArguments) throws -> ExitCode {
    guard let journal = arguments["--journal"] else {
      throw UsageError("--journal is missing", verify.usage)
    }
    let replay = try JournalReplay(
      application, path: journal, from: arguments.number("--from", in: 0...UInt64.max),
      through: arguments.number("--through", in: 0...UInt64.max),
      trace: arguments.has("--trace") ? { ProcessMain.print($0 + "\n") } : nil,
      progress: progress(arguments))
    ProcessMain.print(String(decoding: replay.json, as: UTF8.self) + "\n")
    return replay.difference == nil ? .done : .failed
  }

  private func runExport(_ arguments: ParsedArguments) throws -> ExitCode {
    guard let journal = arguments["--journal"] else {
      throw UsageError("--journal is missing", export.usage)
    }
    guard arguments["--format"] ?? "swift-test" == "swift-test" else {
      throw UsageError("--format \(arguments["--format"] ?? "") is unknown", export.usage)
    }
    let first: UInt64 = try arguments.number("--from", in: 1...UInt64.max) ?? 1
    let last: UInt64 = try arguments.number("--through", in: first...UInt64.max) ?? .max
    let order = try SQLiteJournal.entries(path: journal, application: App.name).order
    if let start = order.first?.sequence, start > 0 {
      throw JournalError(
        .failed,
        "the journal \(journal) begins with record \(start); what was before is forgotten "
          + "(--retain), and an export needs record 0")
    }
    guard let end = order.last?.sequence, first <= end else {
      throw UsageError(
        "the journal \(journal) has no record \(first)"
          + (order.last.map { ": its last is \($0.sequence)" } ?? ""), export.usage)
    }
    ProcessMain.print(
      try SwiftTest.source(
        of: application, order, from: first, through: last, progress: progress(arguments)))
    return .done
  }

  private func progress(_ arguments: ParsedArguments) throws -> ReplayProgress? {
    try arguments["--progress"].map { try ReplayProgress(path: $0) }
  }

  private func runDescribe(_ arguments: ParsedArguments) throws -> ExitCode {
    var unused = DependencyValues()
    for setting in arguments.all("--set") {
      try configure(&unused, setting, usage: describe.usage)
    }
    var description = application.description
    description.build = penstock_build_id()
    if arguments.has("--placeable") {
      for level in description.levels where level.placementObstacle == nil {
        ProcessMain.print("\(level.path)\n")
      }
    } else {
      ProcessMain.print(String(decoding: JSONWriter.bytes(of: description), as: UTF8.self) + "\n")
    }
    return .done
  }
}
