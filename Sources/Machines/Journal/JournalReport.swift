package enum JournalReport: Hashable, Sendable {
  /// Everything up to the ticket is durable.
  case durable(ticket: UInt64)
  /// Nothing above the last durable ticket will be.
  case failed(JournalError)
}
