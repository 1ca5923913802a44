/// What a journal held when it was opened.
package struct JournalContents: Hashable, Sendable {
  /// The number of the last start; 0 for a new journal.
  package var lastStart: UInt32
  /// From the last checkpoint on, or all of them.
  package var entries: [JournalEntry]
  /// The chain after the last entry.
  package var chain: HashChain

  package init(lastStart: UInt32, entries: [JournalEntry], chain: HashChain) {
    self.lastStart = lastStart
    self.entries = entries
    self.chain = chain
  }
}
