import Machines
import PenstockCore
import Simulation
import SimulationApps
import SimulationRunner
import Testing

@Suite struct SampledApplicationTests {
  private func actions(_ list: String) throws -> [SampledApplication.Action] {
    try SampledApplication.actions(in: Bytes(list.utf8))
  }

  @Test func `a list of recorded actions is read, without what it says of itself`() throws {
    let list = """
      {"minimum":{"sends":900}}
      {"path":"/a/b","payload":{"add":1},"after_ms":3}

      {"path":"/","payload":"reset"}
      """
    let actions = try actions(list)
    #expect(actions.map(\.path.description) == ["/a/b", "/"])
    #expect(actions.map(\.payload) == [Bytes(#"{"add":1}"#.utf8), Bytes(#""reset""#.utf8)])
  }

  @Test(arguments: [
    (#"{"payload":1}"#, 1), ("{}\n{\"path\":\"/\"}", 2), (#"{"path":"a","payload":1}"#, 1),
  ])
  func `a line that is no action is named`(list: String, line: Int) {
    #expect(throws: (any Error).self) { try actions(list) }
    do {
      _ = try SampledApplication.actions(in: Bytes(list.utf8))
    } catch {
      #expect(error.number == line)
    }
  }

  @Test func `scopes are processes all together, each alone, and all but one`() throws {
    let application = try sampled()
    let placeable = application.program.description.levels.count { $0.placementObstacle == nil }
    #expect(application.placements[0] == [.root])
    #expect(application.placements[1].count == placeable)
    #expect(application.placements.allSatisfy { $0.first == .root })
    #expect(application.placements.count == 2 + 2 * (placeable - 1))
  }

  @Test func `an application is simulated by its samples`() throws {
    let application = try sampled()
    for seed in UInt64(1)...3 {
      var options = SimulationOptions(seed: seed, window: .fixed(7))
      options.clientActions = 40
      let report = SimulatedRun(options: options, application: application).report()
      #expect(report.violation == nil)
      #expect(report.records > 10)
    }
  }

  private func sampled() throws -> SampledApplication {
    let list = """
      {"path":"/a/b","payload":{"add":7}}
      {"path":"/a/b","payload":{"load":2}}
      {"path":"/a","payload":{"present":1}}
      {"path":"/a/c","payload":{"leaf":{"add":3}}}
      {"path":"/","payload":"reset"}
      """
    return SampledApplication(
      program: SimulatedTree().program, actions: try actions(list),
      outputs: ["Lookup": [Bytes(#""a fact""#.utf8)]], single: ["Lookup"])
  }
}
