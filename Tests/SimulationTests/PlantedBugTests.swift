import Machines
import Simulation
import SimulationApps
import SimulationRunner
import Testing

@Suite(.serialized) struct PlantedBugTests {
  /// Those that show in nearly every seed; `penstock simulate --planted` looks for all.
  @Test(arguments: PlantedBug.all.prefix(4))
  func `a planted bug is found`(bug: PlantedBug) {
    let search = PlantedBugSearch(
      application: SimulatedTree(), windows: [.fixed(7), .adaptive(bound: 1_024)],
      seeds: 1...200, counted: 1)
    let result = search.run(bug)
    #expect(result.shown > 0, "\(bug.name) showed in none of \(result.seeds) seeds")
    #expect(result.failing == [])
  }

  @Test(arguments: PlantedBug.all.filter { $0.name.hasPrefix("reads a value") })
  func `a reader that is given another value than its owner has is found (R15)`(bug: PlantedBug) {
    let search = PlantedBugSearch(
      application: SimulatedTree(), windows: [.fixed(7), .adaptive(bound: 1_024)],
      seeds: 1...200, counted: 1)
    let result = search.run(bug)
    #expect(result.shown > 0, "\(bug.name) showed in none of \(result.seeds) seeds")
  }

  @Test func `at least fifteen bugs are planted, each under a name of its own`() {
    #expect(PlantedBug.all.count >= 15)
    #expect(Set(PlantedBug.all.map(\.name)).count == PlantedBug.all.count)
  }
}
