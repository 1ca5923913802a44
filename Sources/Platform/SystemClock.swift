import CSystem

/// The clocks of this machine, in microseconds.
package enum SystemClock {
  /// Stands still while the machine sleeps: deadlines and heartbeats.
  package static var monotonic: Int64 { penstock_monotonic_microseconds() }
  /// Goes on while the machine sleeps: order time between two looks at the wall clock.
  package static var elapsed: Int64 { penstock_elapsed_microseconds() }
  /// Since 1970.
  package static var wall: Int64 { penstock_wall_microseconds() }
}
