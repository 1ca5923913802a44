import Machines
import PenstockCore
import Testing
import Wire

/// How far a node runs ahead of a parent that writes to it (R4).
@Suite struct WindowTests {
  private static var write: Transition {
    var transition = Transition()
    transition.patch = Patch([PatchOperation(path: ["a", "n"], change: .set([0x31]))])
    return transition
  }

  private var bench: SequencerBench

  init() throws {
    bench = try SequencerBench()
  }

  /// Answers all records up to one, each stage when it was given.
  private mutating func run(through last: UInt64, writing isWriting: (UInt64) -> Bool) {
    for sequence in bench.sequencer.retired + 1...last {
      bench.answer(SequencerBench.child, sequence)
      bench.answer(
        SequencerBench.root, sequence, isWriting(sequence) ? Self.write : Transition())
    }
  }

  /// Whether the child has the record's work, and it was not taken back.
  private func isGiven(_ sequence: UInt64) -> Bool {
    bench.works[SequencerBench.child][sequence]?.epoch == bench.sequencer.epoch
  }

  private var squashes: Int { bench.sequencer.counts.squashes }

  @Test mutating func `a parent that writes each time costs no more than a window of 1`() throws {
    try bench.admit(600, at: "/a")
    run(through: 100) { _ in true }
    // The window of 1,024 was halved until nobody was ahead.
    let halvings = squashes
    #expect(halvings > 0 && halvings <= 10)
    run(through: 600) { _ in true }
    #expect(squashes == halvings)
  }

  @Test mutating func `retirements without a write let the node run ahead again`() throws {
    try bench.admit(600, at: "/a")
    run(through: 100) { _ in true }
    #expect(!isGiven(103))
    run(through: 200) { _ in false }
    #expect(isGiven(240))
    #expect(!isGiven(300))
    let before = squashes
    run(through: 201) { _ in true }
    #expect(squashes == before + 1)
  }
}
