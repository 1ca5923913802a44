import Machines
import Penstock
import PenstockCore
import Simulation
import SimulationApps
import SimulationRunner
import Testing

/// Seeds of whole systems; `penstock simulate` runs thousands.
@Suite(.serialized) struct SimulationTests {
  static let windows: [WindowPolicy] = [.fixed(1), .fixed(7), .fixed(100), .adaptive(bound: 1_024)]

  private func report(
    _ seed: UInt64, _ window: WindowPolicy, of application: any SimulatedApplication,
    actions: Int = 300
  ) -> SimulationReport {
    var options = SimulationOptions(seed: seed, window: window)
    options.clientActions = actions
    return SimulatedRun(options: options, application: application).report()
  }

  private func expectEqual(_ totals: SimulationTotals, _ window: WindowPolicy) {
    for failure in totals.failures {
      Issue.record("seed \(failure.seed), window \(window.word): \(failure.violation)")
    }
  }

  @Test(arguments: windows)
  func `seeds of the tree equal the oracle, much happens (R1, R3, R7, R11, R14, R16)`(
    window: WindowPolicy
  ) {
    let totals = SeedPool.run(1...8) { report($0, window, of: SimulatedTree()) }
    expectEqual(totals, window)
    #expect(totals.shortfalls(isLockStep: window == .fixed(1)) == [])
  }

  @Test(arguments: windows)
  func `many short runs of the tree are equal to the oracle`(window: WindowPolicy) {
    let totals = SeedPool.run(1_000...1_029) {
      report($0, window, of: SimulatedTree(), actions: 40)
    }
    expectEqual(totals, window)
  }

  @Test(arguments: windows)
  func `the example is equal to the oracle`(window: WindowPolicy) {
    let totals = SeedPool.run(1...8) { report($0, window, of: SimulatedUptime()) }
    expectEqual(totals, window)
  }

  @Test func `a seed is the same run every time`() {
    let first = report(11, .fixed(7), of: SimulatedTree(), actions: 80)
    let second = report(11, .fixed(7), of: SimulatedTree(), actions: 80)
    #expect(first == second)
    #expect(first != report(12, .fixed(7), of: SimulatedTree(), actions: 80))
  }

  @Test func `every action that clients of the example send can be decoded`() throws {
    let application = SimulatedUptime()
    var generator = SeededGenerator(seed: 1)
    let actions = (0..<500).map { _ in application.action(using: &generator) }
    // An action that is none is a divergence when no mark voids it.
    let order = try order(of: actions, application)
    #expect(application.program.replay(order, statesAt: []).divergence == nil)
  }

  @Test func `nobody has to read nonsense that is addressed to nothing`() throws {
    let application = SimulatedUptime()
    let nonsense = Array(#"{"nonsense":0}"#.utf8)
    let unmounted = try order(of: [(Path("/alerts")!, nonsense)], application)
    #expect(application.program.replay(unmounted, statesAt: []).divergence == nil)
    let mounted = try order(of: [(Path("/settings")!, nonsense)], application)
    #expect(application.program.replay(mounted, statesAt: []).divergence?.sequence == 1)
  }

  private func order(
    of actions: [(path: Path, payload: Bytes)], _ application: any SimulatedApplication
  ) throws -> [OrderRecord] {
    let root = try application.program.node(at: .root, placement: [.root])
    let initial = OrderRecord(
      sequence: 0, path: .root, payload: try root.initialPayload(), now: 1, seed: 0,
      origin: .initial, correlation: 0)
    return [initial]
      + actions.enumerated().map { index, action in
        let sequence = UInt64(index) + 1
        return OrderRecord(
          sequence: sequence, path: action.path, payload: action.payload, now: Int64(sequence),
          seed: sequence, origin: .client(session: 1, sequence: sequence), correlation: sequence)
      }
  }
}

extension NodeProgram {
  fileprivate func initialPayload() throws -> Bytes {
    encode(try makeInitialState(now: 1, seed: 0))
  }
}
