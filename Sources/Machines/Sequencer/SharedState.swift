import PenstockCore

/// What the router knows of a value that a feature shares: as of the retired head, and what answers
/// of unretired records changed since.
struct SharedState: Sendable {
  private var base: Bytes?
  private var changes = Deque<(sequence: UInt64, input: NodeInput)>()
  /// The value after the first changes, so that readers between two changes cost nothing.
  private var known: (count: Int, value: Bytes?) = (0, nil)

  init() {}

  init(_ value: Bytes?) {
    base = value
    known = (0, value)
  }

  mutating func add(_ sequence: UInt64, _ input: NodeInput) {
    var place = changes.count
    while place > 0, changes[place - 1].sequence > sequence { place -= 1 }
    if place < known.count { known = (0, base) }
    if place == changes.count {
      changes.append((sequence, input))
    } else {
      changes.insert((sequence, input), at: place)
    }
  }

  mutating func rollBack(to sequence: UInt64) {
    while let last = changes.last, last.sequence > sequence { changes.removeLast() }
    if known.count > changes.count { known = (0, base) }
  }

  mutating func retire(through sequence: UInt64) {
    while let first = changes.first, first.sequence <= sequence {
      base = Self.changed(base, by: first.input)
      _ = changes.removeFirst()
      known = known.count > 0 ? (known.count - 1, known.value) : (0, base)
    }
  }

  /// The value as of the record before.
  mutating func value(before sequence: UInt64) -> Bytes? {
    var count = 0
    while count < changes.count, changes[count].sequence < sequence { count += 1 }
    if known.count > count { known = (0, base) }
    while known.count < count {
      known = (known.count + 1, Self.changed(known.value, by: changes[known.count].input))
    }
    return known.value
  }

  var retiredValue: Bytes? { base }

  /// A change that does not fit was made on a state that never was; the squash that follows takes it
  /// back.
  private static func changed(_ value: Bytes?, by input: NodeInput) -> Bytes? {
    switch input {
    case .state(let bytes): return bytes ?? Array("null".utf8)
    case .patch(let patch):
      do throws(JSONError) {
        guard let value else { return nil }
        var document = try JSONDocument(value)
        try document.apply(patch)
        return document.encode()
      } catch {
        return value
      }
    case .work: return value
    }
  }
}
