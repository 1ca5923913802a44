import PenstockCore
import Wire

/// Reader edges (R15): what a stage reads at N of a feature in another process is that feature's
/// answer to all below N.
///
/// The stage waits for those answers, however far the rest runs ahead, and the value goes along with
/// its work. What is not retired may still be squashed; a squash takes back every stage above it, the
/// reader's among them, and that is issued again with the value as it is then. Nothing of this is
/// journaled: the value follows from the order.
extension Sequencer {
  /// Takes the values from the nodes' states at the beginning.
  mutating func restoreShared() {
    for place in shared.indices {
      let value = topology.shared[place]
      let below = Array(
        value.statePath.dropFirst(topology.nodes[value.owner].statePath.count))
      guard let state = nodes[value.owner].base.state else { continue }
      shared[place] = SharedState(
        JSONScan.value(at: below, in: state).map { Array(state[$0]) })
    }
  }

  /// Keeps what a stage changed of what is shared.
  mutating func keepShared(_ patch: Patch, of index: Int, at sequence: UInt64) {
    for place in shared.indices where topology.shared[place].writers.contains(index) {
      let below = topology.shared[place].statePath.dropFirst(
        topology.nodes[index].statePath.count)
      for input in patch.writes(below: Array(below)) { shared[place].add(sequence, input) }
    }
  }

  /// Whether all that the record's stage at the node reads is answered below it.
  func isReadable(_ place: Int, at index: Int) -> Bool {
    if inFlight[place].refusal != nil { return false }
    let faults = configuration.faults
    if faults.readsAheadOfOwners || faults.readsRetiredValues { return true }
    let sequence = inFlight[place].record.sequence
    return inFlight[place].reads.allSatisfy { reads in
      reads.node != index
        || reads.shared.allSatisfy { value in
          topology.shared[value].writers.allSatisfy {
            nodes[$0].stages.first.map { $0 >= sequence } ?? true
          }
        }
    }
  }

  /// Why the values can't be given; nil when they can. What an earlier start numbered, perhaps with
  /// other scopes in processes, has more room, so that it is not voided afterwards.
  func excess(of shared: [SharedReading], at index: Int, _ sequence: UInt64) -> String? {
    let size = shared.reduce(0) { $0 + $1.value.count }
    let limit = sequence <= recoveredThrough ? Limits.state : Limits.payload
    guard size > limit else { return nil }
    let names = shared.map(\.name.description).joined(separator: " ")
    return
      "\(topology.nodes[index].path) reads \(size) bytes of \(names), at most \(limit)"
  }

  /// What the record's stage at the node reads, as of the record before.
  mutating func sharedValues(of sequence: UInt64, at index: Int) -> [SharedReading] {
    let reads = inFlight[position(of: sequence)].reads
    if reads.isEmpty { return [] }
    var readings: [SharedReading] = []
    for value in reads.first(where: { $0.node == index })?.shared ?? [] {
      let bytes =
        configuration.faults.readsRetiredValues
        ? shared[value].retiredValue : shared[value].value(before: sequence)
      guard let bytes else { continue }
      readings.append(SharedReading(name: topology.shared[value].name, value: bytes))
    }
    return readings
  }
}
