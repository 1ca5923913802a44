/// Where the order is kept. One router writes at a time; whoever appends a `start` with a higher
/// number fences the one before.
package protocol Journal: Sendable {
  /// What is there. Called once, before the first `append`.
  func load() throws(JournalError) -> JournalContents
  /// Hands over entries to be made durable, in order, later. Tickets count up; the highest durable one
  /// is reported, or once that no more will be. Never blocks.
  func append(_ entries: [JournalEntry], ticket: UInt64)
  /// Makes what was handed over durable, and returns when no thread touches the journal any more.
  func close()
}

package enum JournalReport: Hashable, Sendable {
  /// Everything up to the ticket is durable.
  case durable(ticket: UInt64)
  /// Nothing above the last durable ticket will be, with a sentence for people.
  case failed(String)
}

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

package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Another router has it.
    case taken
    /// An entry is not what was written.
    case damaged
    /// Written by a newer version, or for another application.
    case incompatible
    case unavailable
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
