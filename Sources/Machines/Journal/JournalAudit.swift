package import PenstockCore
import Wire

/// Looks at a journal's entries one after the other: what a chain of hashes does not show.
package struct JournalAudit: Hashable, Sendable {
  package private(set) var starts = 0
  package private(set) var records = 0
  package private(set) var marks = 0
  package private(set) var checkpoints = 0
  package private(set) var firstRecord: UInt64?
  package private(set) var lastRecord: UInt64?
  package private(set) var lastStart: UInt32?
  /// The position of the last checkpoint.
  package private(set) var lastCheckpoint: Int64?
  /// What the last checkpoint covers.
  package private(set) var lastCovered: UInt64?
  /// The first and the last position.
  package private(set) var positions: ClosedRange<Int64>?
  package var chain = HashChain()
  /// The last build of each scope.
  package private(set) var builds: [Path: UInt64] = [:]
  /// What the first checkpoint covers.
  private var firstCovered: UInt64?

  package init() {}

  /// - Returns: what is wrong with the entry, as the end of a sentence that begins with it.
  package mutating func take(_ entry: JournalEntry, at position: Int64) -> String? {
    positions = (positions?.lowerBound ?? position)...position
    switch entry {
    case .start(let number, _):
      starts += 1
      if let lastStart, number <= lastStart { return "is start \(number), after \(lastStart)" }
      lastStart = number
    case .record(let record):
      records += 1
      if let lastRecord, record.sequence != lastRecord + 1 {
        return "is record \(record.sequence), after \(lastRecord)"
      }
      firstRecord = firstRecord ?? record.sequence
      lastRecord = record.sequence
    case .mark(let sequence, _):
      marks += 1
      if sequence > lastRecord ?? lastCovered ?? .max {
        return "voids record \(sequence), which does not stand before it"
      }
    case .checkpoint(let sequence, let body):
      checkpoints += 1
      return checkpoint(sequence, body, at: position)
    case .build(_, let path, let build): builds[path] = build
    }
    return nil
  }

  private mutating func checkpoint(
    _ sequence: UInt64, _ body: Bytes, at position: Int64
  ) -> String? {
    if sequence > lastRecord ?? sequence {
      return "is a checkpoint of record \(sequence), which does not stand before it"
    }
    if let lastCovered, sequence < lastCovered {
      return "is a checkpoint of record \(sequence), after one of \(lastCovered)"
    }
    do throws(WireError) {
      let decoded = try Checkpoint(decoding: body)
      if decoded.part.sequence != sequence {
        return "is a checkpoint of record \(sequence), and its body is one of "
          + "\(decoded.part.sequence)"
      }
    } catch {
      return "is a checkpoint that can't be read (\(error.message))"
    }
    firstCovered = firstCovered ?? sequence
    lastCovered = sequence
    lastCheckpoint = position
    return nil
  }

  /// What is wrong with all of it; nil when a router can go on with it.
  package var gap: String? {
    guard let firstRecord else {
      return positions == nil || firstCovered != nil || starts > 0
        ? nil : "it has marks and no record"
    }
    guard let firstCovered else { return "it has records and no checkpoint" }
    if firstRecord > firstCovered + 1 {
      return "it begins with record \(firstRecord), and its first checkpoint covers those up to "
        + "\(firstCovered)"
    }
    return nil
  }
}
