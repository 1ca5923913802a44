import Commands
import Machines
import Simulation
import SimulationApps
import Testing

@Suite(.serialized) struct PlantedBugTests {
  @Test(arguments: PlantedBug.all)
  func `each planted bug is found`(bug: PlantedBug) {
    let search = PlantedBugSearch(
      application: SimulatedTree(), windows: [.fixed(7), .adaptive(bound: 1_024)],
      seeds: 1...200)
    let result = search.run(bug)
    #expect(result.shown > 0, "\(bug.name) showed in none of \(result.seeds) seeds")
    #expect(result.failing == [])
  }

  @Test func `at least eight bugs are planted, each under a name of its own`() {
    #expect(PlantedBug.all.count >= 8)
    #expect(Set(PlantedBug.all.map(\.name)).count == PlantedBug.all.count)
  }
}
