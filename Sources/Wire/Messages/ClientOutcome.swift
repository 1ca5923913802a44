package import PenstockCore

/// What became of a client's action.
package struct ClientOutcome: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case committed(sequence: UInt64, isUnmounted: Bool)
    case void(sequence: UInt64, reason: VoidReason)
    /// Not numbered: it may be sent again under the same client sequence.
    case refused(Refusal)
  }

  package var clientSequence: UInt64
  package var status: Status

  package init(clientSequence: UInt64, status: Status) {
    self.clientSequence = clientSequence
    self.status = status
  }
}
