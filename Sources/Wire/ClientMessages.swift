package import PenstockCore

/// A client's action.
package struct Submit: Hashable, Sendable {
  /// Counts up from 1 within the session.
  package var clientSequence: UInt64
  package var path: Path
  package var payload: Bytes
  /// Apply only to this incarnation of the mount at `path`.
  package var generation: Generation?

  package init(
    clientSequence: UInt64, path: Path, payload: Bytes, generation: Generation? = nil
  ) {
    self.clientSequence = clientSequence
    self.path = path
    self.payload = payload
    self.generation = generation
  }
}

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

/// A published state of a subscription: first a snapshot, then changes, each a consistent cut.
package struct StateMessage: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    /// nil when nothing is mounted at the path.
    case snapshot(Bytes?)
    /// Changes since the message with `asOf == from`.
    case changes(from: UInt64, Patch)
  }

  package var subscription: UInt32
  package var asOf: UInt64
  package var body: Body

  package init(subscription: UInt32, asOf: UInt64, body: Body) {
    self.subscription = subscription
    self.asOf = asOf
    self.body = body
  }
}
