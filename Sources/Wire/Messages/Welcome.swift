package struct Welcome: Hashable, Sendable {
  package var application: String
  /// The router's start.
  package var start: UInt32
  /// For a client: the lowest client sequence that is neither numbered nor skipped.
  package var nextClientSequence: UInt64
  /// For a client: whether an acknowledgement means durable.
  package var isDurable: Bool

  package init(application: String, start: UInt32, nextClientSequence: UInt64, isDurable: Bool) {
    self.application = application
    self.start = start
    self.nextClientSequence = nextClientSequence
    self.isDurable = isDurable
  }
}
