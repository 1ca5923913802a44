/// What the clocks said when an event came in; machines never read a clock themselves.
package struct ClockReading: Hashable, Sendable {
  /// Microseconds of a clock that never goes back: deadlines and heartbeats.
  package var monotonic: Int64
  /// Wall-clock microseconds since 1970: proposals for order time.
  package var wall: Int64
  /// Microseconds of a clock that goes on while the machine sleeps or nobody listens: by it order
  /// time passes when the wall clock goes back (R13).
  package var elapsed: Int64

  /// - Parameter elapsed: nil is the same as `monotonic`.
  package init(monotonic: Int64, wall: Int64, elapsed: Int64? = nil) {
    self.monotonic = monotonic
    self.wall = wall
    self.elapsed = elapsed ?? monotonic
  }
}
