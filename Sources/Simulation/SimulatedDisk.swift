package import Machines
package import PenstockCore

/// The journal's disk: batches become durable in order, some time after they were appended.
package struct SimulatedDisk {
  package private(set) var durable: [JournalEntry] = []
  /// The highest record that is durable.
  package private(set) var durableThrough: UInt64 = 0
  private var waiting: [(ticket: UInt64, entries: [JournalEntry])] = []
  private var syncing = 0

  package init() {}

  package mutating func append(_ entries: [JournalEntry], ticket: UInt64) {
    waiting.append((ticket, entries))
  }

  /// Begins a sync of everything that waits. - Returns: whether there is anything to sync.
  package mutating func beginSync() -> Bool {
    guard syncing == 0, !waiting.isEmpty else { return false }
    syncing = waiting.count
    return true
  }

  /// - Returns: the last durable ticket.
  package mutating func finishSync() -> UInt64? {
    guard syncing > 0 else { return nil }
    let ticket = waiting[syncing - 1].ticket
    keep(syncing)
    syncing = 0
    return ticket
  }

  /// The writer died: of what was not synced a prefix may have reached the disk all the same.
  package mutating func lose(keeping count: Int) {
    keep(min(count, waiting.count))
    waiting = []
    syncing = 0
  }

  package var unsynced: Int { waiting.count }

  private mutating func keep(_ count: Int) {
    for batch in waiting.prefix(count) {
      durable += batch.entries
      for case .record(let record) in batch.entries { durableThrough = record.sequence }
    }
    waiting.removeFirst(count)
  }

  /// What a starting router reads: the last checkpoint and the records after its sequence.
  package func load() -> [JournalEntry] {
    guard
      let index = durable.lastIndex(where: { if case .checkpoint = $0 { true } else { false } }),
      case .checkpoint(let sequence, _) = durable[index]
    else { return [] }
    return durable.enumerated().filter { offset, entry in
      switch entry {
      case .checkpoint: offset == index
      case .record(let record): record.sequence > sequence
      case .mark(let marked, _): marked > sequence
      case .start, .build: false
      }
    }.map(\.element)
  }

  /// The order so far, with its marks, from record 0.
  package var order: [OrderRecord] { durable.order }
}
