package import PenstockCore

/// What the journal holds, in the order in which it was appended.
package enum JournalEntry: Hashable, Sendable {
  /// A router took over: fences every earlier start.
  case start(number: UInt32, now: Int64)
  case record(OrderRecord)
  /// Annotates a record; written after it, merged into it when the order is read (R1).
  case mark(sequence: UInt64, reason: VoidReason)
  /// The router's part and all states as of `sequence`; what stands before it may be forgotten.
  case checkpoint(sequence: UInt64, body: Bytes)
  /// From the records after `sequence` on, a scope's process is of this build.
  case build(sequence: UInt64, path: Path, build: UInt64)
}
