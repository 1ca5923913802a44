import Wire

/// A session's outcomes that its client has not confirmed, by client sequence. They come and are
/// confirmed in order.
struct Outcomes: Sendable {
  private var entries = Deque<(sequence: UInt64, status: ClientOutcome.Status)>()

  init() {}

  init(_ all: [UInt64: ClientOutcome.Status]) {
    for (sequence, status) in all.sorted(by: { $0.key < $1.key }) {
      entries.append((sequence, status))
    }
  }

  var all: [UInt64: ClientOutcome.Status] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.sequence, $0.status) })
  }

  subscript(sequence: UInt64) -> ClientOutcome.Status? {
    let place = place(of: sequence)
    return place < entries.count && entries[place].sequence == sequence
      ? entries[place].status : nil
  }

  mutating func set(_ sequence: UInt64, _ status: ClientOutcome.Status) {
    if entries.isEmpty || entries[entries.count - 1].sequence < sequence {
      entries.append((sequence, status))
      return
    }
    let place = place(of: sequence)
    if entries[place].sequence == sequence {
      entries[place].status = status
    } else {
      entries.insert((sequence, status), at: place)
    }
  }

  mutating func removeAll(through sequence: UInt64) {
    let count = sequence == .max ? entries.count : place(of: sequence + 1)
    if count > 0 { entries.removeFirst(count) }
  }

  /// Of the first entry that is not below the sequence.
  private func place(of sequence: UInt64) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
