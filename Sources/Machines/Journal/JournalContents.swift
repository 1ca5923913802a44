package import PenstockCore

/// What a journal held when it was opened.
package struct JournalContents: Hashable, Sendable {
  /// The number of the last start; 0 for a new journal.
  package var lastStart: UInt32
  /// From the last checkpoint on, or all of them.
  package var entries: [JournalEntry]
  /// The chain after the last entry.
  package var chain: HashChain
  /// Of which build each scope's process was, as far as that was said.
  package var builds: [Path: UInt64]

  package init(
    lastStart: UInt32, entries: [JournalEntry], chain: HashChain, builds: [Path: UInt64] = [:]
  ) {
    self.builds = builds
    self.lastStart = lastStart
    self.entries = entries
    self.chain = chain
  }
}
