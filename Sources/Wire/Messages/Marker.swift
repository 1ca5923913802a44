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
