import CSystem
import Glibc

/// Asks again and again until the condition holds; for sockets and processes, whose time is not ours.
/// - Returns: false when it did not hold within the time.
package func eventually(
  within seconds: Double = 10, _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = penstock_monotonic_microseconds() + Int64(seconds * 1_000_000)
  while try !condition() {
    if penstock_monotonic_microseconds() > deadline { return false }
    usleep(2000)
  }
  return true
}
