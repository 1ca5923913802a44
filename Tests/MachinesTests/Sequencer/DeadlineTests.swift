@testable import Machines
import PenstockCore
import Testing
import Wire

/// How long a process that is gone may take to come again (R2).
@Suite struct DeadlineTests {
  private var bench: SequencerBench
  private var status: NodeStatus { bench.sequencer.status(of: SequencerBench.child) }

  init() throws { bench = try SequencerBench() }

  @Test mutating func `a squash leaves the time of a process that is to come again (R2)`() throws {
    try bench.admit(1, at: "/a")
    // Its third lone death sets the action aside, which rolls everything back.
    for death in 1...3 {
      bench.die(SequencerBench.child)
      if death < 3 { bench.start(SequencerBench.child) }
    }
    #expect(bench.marks == [.poison])
    bench.wait(1_000_000)
    #expect(status == .restarting)
    bench.wait(2_000_000)
    #expect(status == .down)
  }

  @Test mutating func `one that is held may take as long as it is held (J-12)`() {
    bench.sequencer.hold([SequencerBench.child], isWhole: false)
    bench.die(SequencerBench.child)
    bench.wait(14_000_000)
    #expect(status == .restarting)
    #expect(bench.sequencer.nextDeadline == nil)
    bench.sequencer.release()
    bench.sequencer.pump()
    // Nothing else has to happen for it.
    #expect(bench.sequencer.nextDeadline == 16_000_000)
    bench.wait(1_900_000)
    #expect(status == .restarting)
    bench.wait(100_000)
    #expect(status == .down)
  }

  @Test mutating func `one that is held and comes is up, and its time is over (J-12)`() throws {
    bench.sequencer.hold([SequencerBench.child], isWhole: false)
    bench.die(SequencerBench.child)
    bench.wait(10_000_000)
    bench.start(SequencerBench.child)
    bench.sequencer.release()
    bench.wait(10_000_000)
    #expect(status == .up)
    try bench.admit(1, at: "/a")
    bench.answer(SequencerBench.child, 1)
    bench.answer(SequencerBench.root, 1)
    #expect(bench.marks == [nil])
  }
}
