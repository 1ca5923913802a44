package import Machines
package import PenstockCore

/// The journal's disk: batches become durable in order, some time after they were appended. The
/// highest start fences the others.
package struct SimulatedDisk {
  package private(set) var durable: [JournalEntry] = []
  /// The highest record that is durable.
  package private(set) var durableThrough: UInt64 = 0
  /// The chain of hashes over all that is durable, as the journal keeps it.
  package private(set) var chain = HashChain()
  /// The highest durable output of each effect.
  package private(set) var durableOutputs: [EffectID: UInt32] = [:]
  private var waiting: [(ticket: UInt64, entries: [JournalEntry])] = []
  private var syncing = 0
  private var start: UInt32 = 0

  package init() {}

  package mutating func open(start: UInt32) { self.start = max(self.start, start) }

  /// - Returns: false, and nothing is taken, when a later start has the disk.
  package mutating func append(_ entries: [JournalEntry], ticket: UInt64, start: UInt32) -> Bool {
    guard start == self.start else { return false }
    waiting.append((ticket, entries))
    return true
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
      for entry in batch.entries {
        chain.append(entry)
        guard case .record(let record) = entry else { continue }
        durableThrough = record.sequence
        if case .output(let effect, let index, _) = record.origin {
          durableOutputs[effect] = max(durableOutputs[effect] ?? 0, index)
        }
      }
    }
    waiting.removeFirst(count)
  }

  /// Whether the chain shows that one bit of one entry is another than what was written.
  package func noticesDamage(using generator: inout SeededGenerator) -> Bool {
    guard let index = durable.indices.randomElement(using: &generator),
      let damaged = durable[index].damaged(using: &generator)
    else { return true }
    var chain = HashChain()
    for (position, entry) in durable.enumerated() {
      chain.append(position == index ? damaged : entry)
    }
    return chain != self.chain
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

extension JournalEntry {
  /// One bit flips.
  fileprivate func damaged(using generator: inout SeededGenerator) -> JournalEntry? {
    func flip(_ bytes: Bytes) -> Bytes? {
      guard let index = bytes.indices.randomElement(using: &generator) else { return nil }
      var bytes = bytes
      bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      return bytes
    }
    switch self {
    case .record(var record):
      if generator.next() & 1 == 0, let payload = flip(record.payload) {
        record.payload = payload
      } else {
        record.now ^= 1 << Int64.random(in: 0...40, using: &generator)
      }
      return .record(record)
    case .checkpoint(let sequence, let body):
      return flip(body).map { .checkpoint(sequence: sequence, body: $0) }
    case .mark(let sequence, let reason): return .mark(sequence: sequence ^ 1, reason: reason)
    case .start(let number, let now): return .start(number: number ^ 1, now: now)
    case .build: return nil
    }
  }
}
