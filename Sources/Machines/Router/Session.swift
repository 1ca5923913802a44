import PenstockCore
import Wire

/// A client's session: strictly in order of its sequences, each applied once (R16).
struct Session: Sendable {
  var name: String
  var peer: PeerID?
  /// The lowest sequence that is neither numbered nor skipped.
  var next: UInt64 = 1
  /// Actions that wait for a feature that is starting, in order from `next`.
  var held = Deque<Submit>()
  /// Outcomes that the client has not confirmed.
  var outcomes: [UInt64: ClientOutcome.Status] = [:]

  init(name: String, peer: PeerID? = nil) {
    self.name = name
    self.peer = peer
  }

  /// - Returns: who is to be told.
  mutating func settle(_ sequence: UInt64, _ status: ClientOutcome.Status) -> PeerID? {
    next = max(next, sequence + 1)
    outcomes[sequence] = status
    return peer
  }

  mutating func confirm(through sequence: UInt64) {
    outcomes = outcomes.filter { $0.key > sequence }
  }
}

/// What a client follows.
struct Subscription: Sendable {
  var peer: PeerID
  var id: UInt32
  var path: Path
  /// The cut that the client has; nil before its snapshot.
  var asOf: UInt64?
  /// Whether anything was mounted at the path in that cut.
  var wasMounted = false
}
