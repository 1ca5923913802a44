/// Whom to tell how an action ended, by ticket. Tickets count up from 1 and settle mostly in order.
struct AwaitedOutcomes {
  typealias Entry = (index: Int, settled: ClientLoop.Settled)

  /// From the ticket `first` on; what stands before `head` is settled.
  private var entries: [Entry?] = []
  private var head = 0
  private var first: UInt64 = 1

  mutating func append(_ ticket: UInt64, _ entry: Entry) {
    precondition(ticket == first + UInt64(entries.count), "tickets count up one by one")
    entries.append(entry)
  }

  mutating func remove(_ ticket: UInt64) -> Entry? {
    guard ticket >= first, ticket - first < UInt64(entries.count) else { return nil }
    let entry = entries[Int(ticket - first)].take()
    while head < entries.count, entries[head] == nil { head += 1 }
    // Moving what is left costs no more than what went.
    if head > 64, head * 2 >= entries.count {
      entries.removeFirst(head)
      first += UInt64(head)
      head = 0
    }
    return entry
  }

  var all: [Entry] { entries.compactMap { $0 } }
}
