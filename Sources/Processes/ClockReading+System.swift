package import Machines
import Platform

extension ClockReading {
  /// What this machine's clocks say now.
  package static var current: ClockReading {
    ClockReading(
      monotonic: SystemClock.monotonic, wall: SystemClock.wall, elapsed: SystemClock.elapsed)
  }
}

/// Milliseconds from `now` to the earliest of the deadlines, rounded up; nil without any.
package func pollTime(until deadlines: Int64?..., now: Int64) -> Int? {
  deadlines.compactMap { $0 }.min().map { deadline in
    // A day is as good as longer, and fits into what the system takes.
    Int(min(max(0, deadline - now + 999) / 1000, 86_400_000))
  }
}
