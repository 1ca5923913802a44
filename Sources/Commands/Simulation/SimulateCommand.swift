import Machines
import Simulation
import SimulationApps

/// `penstock simulate`: many seeds, each a system of its own, judged by the oracle.
struct SimulateCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    let name = invocation.value("app") ?? "tree"
    guard let application = SimulatedApplications.named(name) else {
      throw CommandFailure(
        .noSuchName, "PS-S01", "there is no application \"\(name)\" to simulate",
        "There are \(SimulatedApplications.names.joined(separator: ", "))")
    }
    let bugs = try plantedBugs()
    if invocation.has("planted") { return try find(bugs, application) }
    if let seed = try invocation.number("seed") {
      return try trace(UInt64(seed), application, named: name, bugs)
    }
    return try runSeeds(application, named: name, bugs)
  }

  /// Those whose name has what `--bug` says, or all.
  private func plantedBugs() throws -> [PlantedBug] {
    guard let words = invocation.value("bug") else { return PlantedBug.all }
    let bugs = PlantedBug.all.filter { $0.name.contains(words) }
    guard !bugs.isEmpty, invocation.has("planted") || bugs.count == 1 else {
      throw CommandFailure(
        .noSuchName, "PS-S02",
        bugs.isEmpty ? "no planted bug has \"\(words)\" in its name" : "more than one bug is meant",
        "There are: " + PlantedBug.all.map(\.name).joined(separator: ", "))
    }
    return bugs
  }

  private func options(_ window: WindowPolicy, _ bugs: [PlantedBug]) -> SimulationOptions {
    var options = SimulationOptions(seed: 1, window: window)
    options.hasFaults = !invocation.has("no-faults")
    if invocation.has("bug") { options.faults = bugs[0].faults }
    return options
  }

  private func window() throws -> WindowPolicy {
    try invocation.window() ?? .adaptive(bound: 1_024)
  }

  // MARK: Many seeds

  private func runSeeds(
    _ application: any SimulatedApplication, named name: String, _ bugs: [PlantedBug]
  ) throws -> Int32 {
    let window = try window()
    let first = UInt64(try invocation.number("from") ?? 1)
    let count = UInt64(try invocation.number("seeds") ?? 1_000)
    let common = options(window, bugs)
    let isText = !invocation.isJSON
    TrapReport.install()
    let totals = SeedPool.run(
      first...(first + count - 1),
      failed: { seed, sentence in
        if isText { try? Output.write(Self.row(seed, sentence, window), to: 1) }
      },
      { seed in
        var options = common
        options.seed = seed
        return Simulator(options: options, application: application).run()
      })
    let shortfalls =
      common.hasFaults
      ? totals.shortfalls(
        isLockStep: window == .fixed(1), leastUnmounts: application.leastUnmounts) : []
    if isText {
      try output.write(
        SimulationText.summary(totals, shortfalls, application: name, window: window.word))
    } else {
      try output.write(
        SimulationText.json(totals, shortfalls, application: name, window: window.word) + "\n")
    }
    return totals.failures.isEmpty && shortfalls.isEmpty
      ? 0 : CommandFailure.Status.negative.rawValue
  }

  private static func row(_ seed: UInt64, _ sentence: String, _ window: WindowPolicy) -> String {
    "seed \(seed), window \(window.word), revision \(Revision.current): "
      + "\(SimulationText.short(sentence))\n"
  }

  // MARK: One seed

  private func trace(
    _ seed: UInt64, _ application: any SimulatedApplication, named name: String,
    _ bugs: [PlantedBug]
  ) throws -> Int32 {
    let window = try window()
    var options = options(window, bugs)
    options.seed = seed
    let isText = !invocation.isJSON
    if isText { options.trace = { try? Output.write("\($0)\n", to: 1) } }
    let report = Simulator(options: options, application: application).run()
    var totals = SimulationTotals()
    totals.add(report, seed: seed)
    if isText {
      try output.write(
        report.failure.map {
          "seed \(seed), window \(window.word), revision \(Revision.current): \($0)\n"
        }
          ?? "seed \(seed), window \(window.word): equal to the oracle\n")
      try output.write(SimulationText.means(totals) + "\n")
    } else {
      try output.write(
        SimulationText.json(
          totals, [], application: name, window: window.word) + "\n")
    }
    return report.failure == nil ? 0 : CommandFailure.Status.negative.rawValue
  }

  // MARK: Planted bugs

  private func find(
    _ bugs: [PlantedBug], _ application: any SimulatedApplication
  ) throws -> Int32 {
    let windows = try invocation.window().map { [$0] } ?? [.fixed(7), .adaptive(bound: 1_024)]
    let first = UInt64(try invocation.number("from") ?? 1)
    let count = UInt64(try invocation.number("seeds") ?? 200)
    let search = PlantedBugSearch(
      application: application, windows: windows, seeds: first...(first + count - 1))
    TrapReport.install()
    var missing = 0
    for bug in bugs {
      let result = search.run(bug)
      if result.shown == 0 { missing += 1 }
      try output.write(
        invocation.isJSON
          ? SimulationText.json(result, bug: bug.name) + "\n"
          : SimulationText.row(result, bug: bug.name))
    }
    if !invocation.isJSON {
      try output.write("\(bugs.count - missing) of \(bugs.count) found\n")
    }
    return missing == 0 ? 0 : CommandFailure.Status.negative.rawValue
  }
}
