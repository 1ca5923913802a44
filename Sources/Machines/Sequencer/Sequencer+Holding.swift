import PenstockCore

/// A process that is going to stop gets nothing new, and what it has is brought to an end.
extension Sequencer {
  /// From now on nothing that needs these nodes gets a number; it waits as if they restarted.
  /// - Parameter isWhole: whether all of the system stops: then nothing at all gets a number.
  mutating func hold(_ indices: some Sequence<Int>, isWhole: Bool) {
    for index in indices { nodes[index].isHeld = true }
    isStopping = isWhole
  }

  mutating func release() {
    for index in nodes.indices { nodes[index].isHeld = false }
    isStopping = false
  }

  func isHeld(_ index: Int) -> Bool { nodes[index].isHeld }

  /// Nothing that has a number needs any of the nodes any more, nor will.
  func isDrained(_ indices: [Int]) -> Bool {
    if isStopping { return inFlight.isEmpty && uncommitted.isEmpty }
    return indices.allSatisfy { index in
      nodes[index].stages.isEmpty && nodes[index].subtree.isEmpty
        && !inFlight.contains { $0.stages.contains(index) }
    }
  }

  /// What the last durable checkpoint covers.
  var checkpointedThrough: UInt64 { tailBase - 1 }

  /// Whether a process that comes for the node has to reduce again what another one reduced.
  func owesReplay(_ index: Int) -> Bool {
    if retired < recoveredThrough || !nodes[index].stages.isEmpty { return true }
    return nodes[index].history.contains { if case .work = $0.input { true } else { false } }
  }
}
