/// What the clocks said when an event came in; machines never read a clock themselves.
package struct ClockReading: Hashable, Sendable {
  /// Microseconds of a clock that never goes back: deadlines and heartbeats.
  package var monotonic: Int64
  /// Wall-clock microseconds since 1970: proposals for order time.
  package var wall: Int64

  package init(monotonic: Int64, wall: Int64) {
    self.monotonic = monotonic
    self.wall = wall
  }
}

/// A peer as the router knows it: one link of one incarnation. Never reused within a start.
package struct PeerID: Hashable, Sendable, Comparable {
  package var value: UInt32

  package init(_ value: UInt32) { self.value = value }

  package static func < (left: PeerID, right: PeerID) -> Bool { left.value < right.value }
}
