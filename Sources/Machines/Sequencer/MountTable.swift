package import PenstockCore

/// The dynamic mounts (optionals, cases, elements) as of the retired head, and above it what answers
/// of unretired records say already.
package struct MountTable: Sendable {
  package struct Mount: Hashable, Sendable {
    package var id: String
    package var generation: Generation

    package init(id: String, generation: Generation) {
      self.id = id
      self.generation = generation
    }
  }

  package internal(set) var retired: [Path: Mount] = [:]
  private var ahead: [(sequence: UInt64, change: MountChange)] = []

  func isMounted(_ path: Path) -> Bool {
    var newest: (sequence: UInt64, isMounted: Bool)?
    for entry in ahead where entry.change.path == path {
      if entry.sequence >= newest?.sequence ?? 0 {
        newest = (entry.sequence, entry.change.after != nil)
      }
    }
    return newest?.isMounted ?? (retired[path] != nil)
  }

  mutating func answered(_ sequence: UInt64, _ changes: [MountChange]) {
    for change in changes { ahead.append((sequence, change)) }
  }

  mutating func rolledBack(to sequence: UInt64) {
    if !ahead.isEmpty { ahead.removeAll { $0.sequence > sequence } }
  }

  /// A record without changes retires.
  mutating func retire(_ sequence: UInt64) {
    if !ahead.isEmpty { ahead.removeAll { $0.sequence <= sequence } }
  }

  /// Composes the stages' changes of a record: same path and same id is the same mount, whatever
  /// happened between the stages (R8).
  /// - Returns: the paths whose mount ended.
  mutating func retire(_ sequence: UInt64, stages: [[MountChange]]) -> [Path] {
    retire(sequence)
    guard stages.contains(where: { !$0.isEmpty }) else { return [] }
    var order: [Path] = []
    var after: [Path: String?] = [:]
    for change in stages.joined() {
      if after.updateValue(change.after, forKey: change.path) == nil { order.append(change.path) }
    }
    let changed = Set(order.filter { retired[$0]?.id != after[$0] ?? nil })
    var ended: [Path] = []
    var ordinal: UInt32 = 0
    // What is listed below a mount that changed is mounted anew, even with the same identity.
    for path in order
    where Swift.sequence(first: path, next: \.parent).contains(where: changed.contains) {
      let new = after[path] ?? nil
      let old = retired[path]
      if old != nil { ended.append(path) }
      if let new {
        retired[path] = Mount(
          id: new, generation: Generation(sequence: sequence, ordinal: ordinal))
        ordinal += 1
      } else {
        retired[path] = nil
      }
    }
    return ended
  }
}
