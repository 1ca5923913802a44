package import PenstockCore

/// Effects by the time at which they need a look. An entry may be out of date: whoever takes it asks
/// the effect itself.
package struct DeadlineHeap: Sendable {
  private var entries: [(due: Int64, id: EffectID)] = []

  package init() {}

  package var nextDue: Int64? { entries.first?.due }
  package var count: Int { entries.count }

  package mutating func add(_ id: EffectID, due: Int64) {
    entries.append((due, id))
    var child = entries.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// The earliest entry that is due.
  package mutating func take(now: Int64) -> EffectID? {
    guard let first = entries.first, first.due <= now else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first.id }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if isBefore(child, least) { least = child }
      }
      guard least != parent else { return first.id }
      entries.swapAt(least, parent)
      parent = least
    }
  }

  /// Equal times in order of the ids, so that a run depends on nothing else.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (entries[left], entries[right])
    return left.due != right.due ? left.due < right.due : left.id < right.id
  }
}
