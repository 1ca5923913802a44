package import Machines

/// The router's clock: its monotonic time stands still while the router does not listen.
///
/// A turn that takes long (a recovery, a busy machine) or a stop of the router itself must not make
/// its peers late: their answers may lie in the socket, or what they have to answer was not sent yet.
package struct ListeningClock {
  /// Microseconds that a turn, or the end of a wait, may take and still count.
  package static let allowance: Int64 = 100_000

  private var last: Int64
  private var missed: Int64 = 0

  package init(startedAt reading: ClockReading) { last = reading.monotonic }

  /// - Parameter waited: the longest time, in milliseconds, that the router meant to wait for
  ///   messages since the last call; 0 if it did not wait, nil if it would have waited for ever.
  package mutating func read(_ system: ClockReading, waited: Int? = 0) -> ClockReading {
    if let waited {
      let late = system.monotonic - last - Int64(waited) * 1000 - Self.allowance
      if late > 0 { missed += late }
    }
    last = system.monotonic
    // Order time passes all the same: timers are not late because the router was.
    return ClockReading(
      monotonic: system.monotonic - missed, wall: system.wall, elapsed: system.elapsed)
  }
}
