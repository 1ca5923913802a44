import Machines
import Simulation
import SimulationApps
import Testing

@Suite struct ShrinkerTests {
  /// Fails when actions 3 and 40 and fault 7 are there.
  private func report(_ keep: SimulationCase) -> SimulationReport {
    var report = SimulationReport()
    report.events = 10
    report.actions = 50
    report.faults = 20
    func has(_ kept: Set<Int>?, _ number: Int) -> Bool { kept?.contains(number) ?? true }
    if has(keep.actions, 3), has(keep.actions, 40), has(keep.faults, 7) {
      report.violation = Violation(.noGaps, "\(keep.text)")
    } else if keep.clients == 2 {
      report.violation = Violation(.comesToRest, "")
    }
    return report
  }

  @Test func `what does not matter is left out`() throws {
    let first = report(SimulationCase())
    var shrinker = try #require(Shrinker(first, keep: SimulationCase()) { report($0) })
    let result = shrinker.shrink()
    #expect(result.keep.text == "actions=3,40/faults=7/clients=1/workers=1")
    #expect(result.report.violation?.invariant == .noGaps)
  }

  @Test func `it ends when its events are used up`() throws {
    let first = report(SimulationCase())
    var shrinker = try #require(
      Shrinker(first, keep: SimulationCase(), events: 55) { report($0) })
    #expect(shrinker.shrink().runs == 6)
  }

  @Test func `there is nothing to shrink without a violation`() {
    #expect(Shrinker(SimulationReport(), keep: SimulationCase()) { report($0) } == nil)
  }

  @Test(arguments: ["actions=0-3,17/faults=none/clients=1", "faults=2/workers=1", ""])
  func `a case is read as it is written`(text: String) throws {
    let keep = try #require(SimulationCase(text))
    #expect(keep.text == text)
    #expect(keep.isEverything == text.isEmpty)
  }

  @Test(arguments: ["actions", "actions=x", "actions=5-3", "clients=4", "clients=0", "storms=1"])
  func `what is no case is refused`(text: String) {
    #expect(SimulationCase(text) == nil)
  }

  @Test func `a failing seed becomes small, and fails when it is run again`() throws {
    let bug = try #require(PlantedBug.all.first { $0.name == "rolls back one record short" })
    func run(_ seed: UInt64, _ keep: SimulationCase) -> SimulationReport {
      var options = SimulationOptions(seed: seed, window: .fixed(7))
      options.clientActions = 30
      options.hasFaults = false
      options.faults = bug.faults
      options.keep = keep
      return Simulator(options: options, application: SimulatedTree()).run()
    }
    let seed = try #require(
      (1...60).first { run($0, SimulationCase()).violation != nil })
    let first = run(seed, SimulationCase())
    var shrinker = try #require(
      Shrinker(first, keep: SimulationCase(), events: 60_000) { run(seed, $0) })
    let result = shrinker.shrink()
    #expect(try #require(result.keep.actions).count < first.actions)
    let again = try #require(SimulationCase(result.keep.text))
    #expect(run(seed, again) == result.report)
  }
}
