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
