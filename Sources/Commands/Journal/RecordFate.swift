package import Machines
import PenstockCore
import SQLiteJournal

/// What a journal says of one record.
struct RecordFate {
  private(set) var record: OrderRecord?
  private(set) var mark: VoidReason?
  /// Whether what followed from it, or a checkpoint, says that it was reduced (J-15).
  private(set) var isRetired = false

  init(of sequence: UInt64, in journal: String) throws {
    do {
      try SQLiteJournal.read(path: journal, application: "") { take($0, sequence) }
    } catch let error as JournalError {
      throw CommandFailure(error)
    }
  }

  private mutating func take(_ entry: JournalEntry, _ sequence: UInt64) {
    if let retired = entry.retires, retired >= sequence { isRetired = true }
    switch entry {
    case .record(let found) where found.sequence == sequence: record = found
    case .mark(sequence, let reason): mark = reason
    case .record, .mark, .start, .checkpoint, .build: break
    }
  }
}

extension JournalEntry {
  /// The record of which the entry says that it is retired, and all before it: their marks stand before
  /// the entry (J-15).
  package var retires: UInt64? {
    switch self {
    case .record(let record): record.origin.cause
    case .checkpoint(let sequence, _): sequence
    case .start, .mark, .build: nil
    }
  }
}
