package import PenstockCore

/// A record to reduce at a node. Nodes get their items in increasing order of sequence.
package struct Work: Hashable, Sendable {
  package var sequence: UInt64
  package var epoch: Epoch
  package var path: Path
  /// nil when the node has the payload of this sequence from an earlier epoch.
  package var payload: Bytes?
  package var now: Int64
  package var seed: UInt64
  /// The answer holds the state's changes, because an ancestor, a reader or a tap wants them.
  package var wantsPatch: Bool
  /// Catching up: apply it, do not answer.
  package var isReplay: Bool
  /// The record from which this one follows, and the client's action at the beginning; 0 when
  /// nobody asked.
  package var cause: UInt64
  package var correlation: UInt64

  package init(
    sequence: UInt64, epoch: Epoch, path: Path, payload: Bytes?, now: Int64, seed: UInt64,
    wantsPatch: Bool, isReplay: Bool, cause: UInt64 = 0, correlation: UInt64 = 0
  ) {
    self.sequence = sequence
    self.epoch = epoch
    self.path = path
    self.payload = payload
    self.now = now
    self.seed = seed
    self.wantsPatch = wantsPatch
    self.isReplay = isReplay
    self.cause = cause
    self.correlation = correlation
  }
}

/// A node's answer to one piece of work.
package struct Answer: Hashable, Sendable {
  package enum Result: Hashable, Sendable {
    case reduced(Transition)
    /// The payload is not an action of that path.
    case undecodable(String)
    /// What the reducer made of it exceeds a limit of the protocol, with the reason.
    case tooLarge(String)
  }

  package var sequence: UInt64
  package var epoch: Epoch
  package var result: Result

  package init(sequence: UInt64, epoch: Epoch, result: Result) {
    self.sequence = sequence
    self.epoch = epoch
    self.result = result
  }
}

/// Asks a node for its own state as of `sequence` (R7).
package struct Marker: Hashable, Sendable {
  package var id: UInt32
  package var sequence: UInt64
  package var epoch: Epoch
  /// The last released marker; the answer holds what changed since then. nil asks for everything.
  package var since: UInt32?

  package init(id: UInt32, sequence: UInt64, epoch: Epoch, since: UInt32?) {
    self.id = id
    self.sequence = sequence
    self.epoch = epoch
    self.since = since
  }
}

package struct MarkerAnswer: Hashable, Sendable {
  package var id: UInt32
  package var sequence: UInt64
  package var epoch: Epoch
  package var body: StateMessage.Body

  package init(id: UInt32, sequence: UInt64, epoch: Epoch, body: StateMessage.Body) {
    self.id = id
    self.sequence = sequence
    self.epoch = epoch
    self.body = body
  }
}
