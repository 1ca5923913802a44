package import PenstockCore

/// A send, output, tick or end without a number: it needs a node that is not up.
package struct Waiting: Hashable, Sendable {
  package var origin: Origin
  package var path: Path
  package var payload: Bytes
  package var correlation: UInt64
  /// The next number when it began to wait, or the number under which it was voided.
  package var since: UInt64

  package init(
    origin: Origin, path: Path, payload: Bytes, correlation: UInt64, since: UInt64 = 0
  ) {
    self.since = since
    self.origin = origin
    self.path = path
    self.payload = payload
    self.correlation = correlation
  }
}
