package import PenstockCore

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
