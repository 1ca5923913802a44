@testable import Machines
import PenstockCore
import Testing
import Wire

/// Changes for a mirror whose node has no work.
@Suite struct PendingChangesTests {
  private static func insert(_ name: String) -> Patch {
    Patch([PatchOperation(path: ["rows", name], change: .insert([0x31], at: 0))])
  }

  private static func set(_ value: UInt8) -> Patch {
    Patch([PatchOperation(path: ["total"], change: .set([value]))])
  }

  private var node = NodeState(window: 1)

  @Test mutating func `what has retired becomes one change, the last writer of a place wins (R9)`()
  {
    for sequence in 1...3 as ClosedRange<UInt64> {
      node.addPending(sequence, Self.set(UInt8(0x30 + sequence)))
    }
    node.mergePending(through: 2, cuts: [])
    #expect(node.pending.map(\.sequence) == [2, 3])
    #expect(node.pending[0].patch == Self.set(0x32))
  }

  @Test mutating func `what lies before a cut and what lies after it stay apart`() {
    node.addPending(7, Self.insert("a"))
    node.addPending(9, Self.insert("b"))
    node.addPending(12, Self.set(0x31))
    node.mergePending(through: 12, cuts: [10])
    #expect(node.pending.map(\.sequence) == [9, 12])
    node.mergePending(through: 12, cuts: [])
    #expect(node.pending.map(\.sequence) == [12])
  }

  @Test mutating func `a merged change stays far below what a message may have`() {
    for sequence in 1...20_000 as ClosedRange<UInt64> {
      node.addPending(sequence, Self.insert("\(sequence)"))
      node.mergePending(through: sequence, cuts: [])
    }
    #expect(
      node.pending.map(\.patch.operations.count) == [16_384] + Array(repeating: 1, count: 3_616))
    #expect(node.pendingBytes > NodeState.pendingLimit)
  }

  /// A root that looks at no action of its child has only the changes.
  @Test(arguments: [true, false])
  func `what a checkpoint has is not merged with what it has not`(isRootThere: Bool) throws {
    let child = try #require(Path("/a"))
    var root = LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true)
    root.observes = []
    var bench = try SequencerBench(
      levels: [
        root, LevelDescription(path: child, kind: .scope, statePath: ["a"], hasLogic: true),
      ], placement: [child], states: [#"{"a":{"rows":{}}}"#, #"{"rows":{}}"#])
    try bench.admit(1, at: "/a")
    bench.answer(SequencerBench.child, 1, transition("a"))
    if !isRootThere { bench.die(SequencerBench.root) }
    bench.sequencer.checkpointed(
      at: 1,
      states: [Bytes(#"{"a":{"rows":{"a":1}}}"#.utf8), Bytes(#"{"rows":{"a":1}}"#.utf8)])
    bench.sequencer.admit(origin: .client(session: 1, sequence: 2), path: child, payload: [])
    bench.settle()
    bench.answer(SequencerBench.child, 2, transition("b"))
    if isRootThere { bench.die(SequencerBench.root) }
    bench.start(SequencerBench.root)
    bench.sequencer.admit(origin: .client(session: 1, sequence: 3), path: .root, payload: [])
    bench.settle()
    let history = Array(bench.sequencer.nodes[SequencerBench.root].history)
    #expect(history.map(\.sequence) == [2, 3])
    guard case .patch(let patch)? = history.first?.input else {
      Issue.record("2 changed the mirror")
      return
    }
    #expect(patch == Self.insert("b").lifted(by: ["a"]))
    #expect(bench.works[SequencerBench.root][3] != nil)
  }

  private func transition(_ name: String) -> Transition {
    var transition = Transition()
    transition.patch = Self.insert(name)
    return transition
  }
}
