package import PenstockCore

/// What a checkpoint holds besides the nodes' states: all that does not follow from later records (R6).
package struct RouterPart: Hashable, Sendable {
  package var sequence: UInt64
  package var now: Int64
  package var mounts: [Path: MountTable.Mount]
  package var living: [EffectID: EffectRegistry.Living]
  package var waiting: [Waiting]
  package var loneDeaths: [Origin: Int]

  package init(
    sequence: UInt64, now: Int64, mounts: [Path: MountTable.Mount] = [:],
    living: [EffectID: EffectRegistry.Living] = [:], waiting: [Waiting] = [],
    loneDeaths: [Origin: Int] = [:]
  ) {
    self.sequence = sequence
    self.now = now
    self.mounts = mounts
    self.living = living
    self.waiting = waiting
    self.loneDeaths = loneDeaths
  }

  /// The part that goes with record 0.
  package init(initialMounts: [MountChange], now: Int64) {
    self.init(sequence: 0, now: now)
    for change in initialMounts {
      guard let id = change.after else { continue }
      mounts[change.path] = MountTable.Mount(
        id: id, generation: Generation(sequence: 0, ordinal: UInt32(mounts.count)))
    }
  }
}

extension Sequencer {
  /// The router's part as of the retired head.
  func part(asOf record: OrderRecord? = nil) -> RouterPart {
    RouterPart(
      sequence: record?.sequence ?? retired, now: orderTime, mounts: mounts.retired,
      living: effects.living,
      waiting: nodes.flatMap { Array($0.waiting) }, loneDeaths: loneDeaths)
  }

  /// Stands at a checkpoint and takes the journal's records after it into flight again.
  ///
  /// They are reduced anew; what follows from them is derived anew (R3), and only what the journal
  /// lacks is appended: sends that were not numbered before the end of the last start (R6).
  package mutating func restore(_ part: RouterPart, states: [Bytes?], entries: [JournalEntry]) {
    precondition(
      next == 1 && inFlight.isEmpty, "a sequencer is restored once, before anything else")
    next = part.sequence + 1
    tailBase = next
    validated = part.sequence
    committedThrough = part.sequence
    orderTime = max(orderTime, part.now)
    mounts.retired = part.mounts
    for (id, living) in part.living { effects.add(id, living) }
    loneDeaths = part.loneDeaths
    for index in nodes.indices {
      nodes[index].base = (part.sequence, states[index])
      nodes[index].delivered = part.sequence
    }
    restoreShared()
    let records = Self.merged(entries, after: part.sequence)
    for record in records { lastJournaled[record.origin] = record.sequence }
    for item in part.waiting where lastJournaled[item.origin] == nil {
      let owner = topology.owner(of: item.path)
      nodes[owner].waiting.append(item)
    }
    recoveredThrough = part.sequence + UInt64(records.count)
    for record in records {
      orderTime = max(orderTime, record.now)
      enter(record, isVoid: record.mark != nil, isDurable: true)
      if record.mark == .unavailable { waitAgain(record) }
    }
  }

  /// The records after a sequence with their marks, in order.
  package static func merged(_ entries: [JournalEntry], after sequence: UInt64) -> [OrderRecord] {
    var records: [OrderRecord] = []
    for entry in entries {
      switch entry {
      case .record(let record) where record.sequence > sequence: records.append(record)
      case .mark(let marked, let reason):
        guard marked > sequence, let first = records.first else { continue }
        let index = Int(marked) - Int(first.sequence)
        if records.indices.contains(index) { records[index].mark = reason }
      case .record, .start, .checkpoint, .build: continue
      }
    }
    return records
  }
}
