import Simulation
import SimulationApps
import SimulationRunner

/// `penstock simulate`: many seeds, each a system of its own, judged by the oracle.
struct SimulateCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    let bugs = try plantedBugs()
    var request = try request()
    let print: @Sendable (String) -> Void = { try? Output.write($0, to: 1) }
    let isFine: Bool
    if invocation.has("planted") {
      isFine = SimulationRun(request, print: print).find(bugs)
    } else {
      if invocation.has("bug") { request.bug = bugs[0] }
      isFine = SimulationRun(request, print: print).run()
    }
    return isFine ? 0 : CommandFailure.Status.negative.rawValue
  }

  private func request() throws -> SimulationRequest {
    let name = invocation.value("app") ?? "tree"
    guard let application = SimulatedApplications.named(name) else {
      throw CommandFailure(
        .noSuchName, "PS-M01", "there is no application \"\(name)\" to simulate",
        "There are \(SimulatedApplications.names.joined(separator: ", ")); an application of your "
          + "own is simulated by its executable: APP simulate")
    }
    var request = SimulationRequest(
      application: application, name: name,
      command: "penstock simulate" + (invocation.has("app") ? " --app \(name)" : ""))
    request.window = try invocation.window()
    request.first = UInt64(try invocation.number("from") ?? 1)
    request.count = try invocation.number("seeds").map(UInt64.init)
    request.seed = try invocation.number("seed").map(UInt64.init)
    request.hasFaults = !invocation.has("no-faults")
    request.shrinks = !invocation.has("no-shrink")
    request.clientActions = try invocation.number("actions-per-seed") ?? 300
    request.trace = invocation.value("trace")
    request.isJSON = invocation.isJSON
    if let text = invocation.value("keep") {
      guard let keep = SimulationCase(text) else {
        throw CommandFailure(
          .usage, "PS-M03", "--keep takes what a failure printed, not \"\(text)\"",
          "Such as actions=0-3,17/faults=none/clients=1")
      }
      request.keep = keep
    }
    return request
  }

  /// Those whose name has what `--bug` says, or all.
  private func plantedBugs() throws -> [PlantedBug] {
    guard let words = invocation.value("bug") else { return PlantedBug.all }
    if let bug = PlantedBug.all.first(where: { $0.name == words }) { return [bug] }
    let bugs = PlantedBug.all.filter { $0.name.contains(words) }
    guard !bugs.isEmpty, invocation.has("planted") || bugs.count == 1 else {
      throw CommandFailure(
        .noSuchName, "PS-M02",
        bugs.isEmpty ? "no planted bug has \"\(words)\" in its name" : "more than one bug is meant",
        "There are: " + PlantedBug.all.map(\.name).joined(separator: ", "))
    }
    return bugs
  }
}
