import CSystem

/// The clocks of this machine, in microseconds.
package enum SystemClock {
  /// Stands still while the machine sleeps: deadlines and heartbeats.
  package static var monotonic: Int64 { penstock_monotonic_microseconds() }
  /// Since 1970.
  package static var wall: Int64 { penstock_wall_microseconds() }
}
