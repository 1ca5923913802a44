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
  /// What the stage reads of features in other processes, as of the record before (R15).
  package var shared: [SharedReading]

  package init(
    sequence: UInt64, epoch: Epoch, path: Path, payload: Bytes?, now: Int64, seed: UInt64,
    wantsPatch: Bool, isReplay: Bool, cause: UInt64 = 0, correlation: UInt64 = 0,
    shared: [SharedReading] = []
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
    self.shared = shared
  }
}
