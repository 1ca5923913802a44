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
}
