import PenstockCore

/// Effects that wait for a worker, first in first out for each worker queue. What comes back from a
/// worker goes before what never started.
///
/// Operations wait apart from each other, so that one which no worker serves holds up no other. A
/// cancelled effect stays until its turn and is skipped then.
struct OperationQueue: Sendable {
  struct Kind: Hashable, Sendable {
    var queue: String
    var operation: String
  }

  private struct Line: Sendable {
    var fresh = Deque<Entry>()
    /// In order of their numbers.
    var returned: [Entry] = []
  }

  private struct Entry: Sendable {
    var number: UInt64
    var id: EffectID
  }

  private var lines: [Kind: Line] = [:]

  /// - Parameter number: The effect's place in the order of starts.
  mutating func append(_ id: EffectID, number: UInt64, _ kind: Kind) {
    lines[kind, default: Line()].fresh.append(Entry(number: number, id: id))
  }

  mutating func putBack(_ id: EffectID, number: UInt64, _ kind: Kind) {
    let returned = lines[kind]?.returned ?? []
    let index = returned.firstIndex { $0.number > number } ?? returned.count
    lines[kind, default: Line()].returned.insert(Entry(number: number, id: id), at: index)
  }

  /// Kinds that have something waiting, the one with the oldest first.
  mutating func kinds(where isWaiting: (EffectID) -> Bool) -> [Kind] {
    for kind in lines.keys { dropGone(kind, isWaiting) }
    return lines.compactMap { kind, line in head(line).map { (kind, $0.number) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  mutating func first(_ kind: Kind, where isWaiting: (EffectID) -> Bool) -> EffectID? {
    dropGone(kind, isWaiting)
    return firstID(kind)
  }

  mutating func removeFirst(_ kind: Kind) {
    guard lines[kind] != nil else { return }
    if lines[kind]?.returned.isEmpty ?? true {
      _ = lines[kind]?.fresh.removeFirst()
    } else {
      lines[kind]?.returned.removeFirst()
    }
  }

  /// Without a copy of the line, which would be copied in full by the next change.
  private func firstID(_ kind: Kind) -> EffectID? {
    lines[kind]?.returned.first?.id ?? lines[kind]?.fresh.first?.id
  }

  private func head(_ line: Line) -> Entry? { line.returned.first ?? line.fresh.first }

  private mutating func dropGone(_ kind: Kind, _ isWaiting: (EffectID) -> Bool) {
    while let id = firstID(kind), !isWaiting(id) { removeFirst(kind) }
    if firstID(kind) == nil { lines[kind] = nil }
  }
}
