import Glibc
import Machines
import Penstock
import PenstockCore
import Processes
import Simulation
import SimulationRunner

/// `APP simulate`: the author's own reducers in whole systems under faults.
struct ApplicationSimulation<App: PenstockApp> {
  private let application: Application<App>
  private let arguments: ParsedArguments
  private let command: ProcessCommand

  static func command(_ name: String) -> ProcessCommand {
    ProcessCommand(
      name: "\(name) simulate",
      summary:
        "Runs the application in simulated systems that fail in all ways, and compares each state\n"
        + "with the in-process store. Clients send the samples that the application declares.",
      options: [
        .init("--actions", "FILE", "send the actions of this list (penstock compare) instead"),
        .init("--seeds", "N", "how many seeds, each a system of its own; default 300"),
        .init("--from", "N", "the first seed; default 1"),
        .init("--seed", "N", "only this seed"),
        .init("--keep", "CASE", "only these of its actions, faults and processes"),
        .init("--window", "W", "how far features run ahead: a number, or adaptive (default)"),
        .init("--actions-per-seed", "N", "actions of clients; default 300"),
        .init("--no-faults", nil, "nothing is lost, stopped or killed"),
        .init("--no-shrink", nil, "don't make failing seeds small"),
        .init("--trace", "FILE", "where the steps of a seed are written"),
        .init("--json", nil, "print one JSON object"),
      ])
  }

  init(_ application: Application<App>, _ arguments: ParsedArguments, _ command: ProcessCommand) {
    self.application = application
    self.arguments = arguments
    self.command = command
  }

  func run() throws -> ExitCode {
    let request = try request()
    let isFine = SimulationRun(request) { ProcessMain.print($0) }.run()
    return isFine ? .done : .failed
  }

  private func request() throws -> SimulationRequest {
    var text = command.name
    if let file = arguments["--actions"] { text += " --actions \(file)" }
    var request = SimulationRequest(
      application: try sampled(), name: App.name, command: text)
    request.count = try arguments.number("--seeds", in: 1...UInt64(1_000_000_000)) ?? 300
    request.first = try arguments.number("--from", in: 1...UInt64(1) << 60) ?? 1
    request.seed = try arguments.number("--seed", in: 1...UInt64(1) << 60)
    request.clientActions = try arguments.number("--actions-per-seed", in: 1...100_000) ?? 300
    request.hasFaults = !arguments.has("--no-faults")
    request.shrinks = !arguments.has("--no-shrink")
    request.trace = arguments["--trace"]
    request.isJSON = arguments.has("--json")
    if let text = arguments["--keep"] {
      guard let keep = SimulationCase(text) else {
        throw UsageError("--keep takes what a failure printed, not \(text)", command.usage)
      }
      request.keep = keep
    }
    if let text = arguments["--window"] {
      guard let window = WindowPolicy(word: text) else {
        throw UsageError("--window takes a number or adaptive, not \(text)", command.usage)
      }
      request.window = window
    }
    return request
  }

  private func sampled() throws -> SampledApplication {
    var actions: [SampledApplication.Action] = []
    var outputs: [String: [Bytes]] = [:]
    for sample in application.app.samples {
      switch sample.kind {
      case .action(let action):
        let (path, payload) = application.address(action)
        actions.append(.init(path: path, payload: payload))
      case .output(let operation, let value): outputs[operation, default: []].append(value)
      }
    }
    if let file = arguments["--actions"] { actions = try recorded(file) }
    guard !actions.isEmpty else {
      throw UsageError(
        "\(App.name) declares no samples of actions to send",
        "declare `samples` in the application, or name a list with --actions FILE")
    }
    let names = application.operations.names
    return SampledApplication(
      program: application, actions: actions, outputs: outputs,
      single: Set(names.filter { application.operations.hasOneOutput($0) }))
  }

  private func recorded(_ file: String) throws -> [SampledApplication.Action] {
    guard let list = TextFile.read(file) else {
      throw UsageError(
        "can't read \(file): \(String(cString: strerror(errno)))", command.usage)
    }
    do {
      return try SampledApplication.actions(in: list)
    } catch {
      throw UsageError(
        "line \(error.number) of \(file) is no action: \(error.message)", command.usage)
    }
  }
}
