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
