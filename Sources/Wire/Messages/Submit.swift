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
