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

/// The same without holding a thread of the cooperative pool, of which there are few.
package func waitUntil(
  within seconds: Double = 10, _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let deadline = penstock_monotonic_microseconds() + Int64(seconds * 1_000_000)
  while try await !condition() {
    if penstock_monotonic_microseconds() > deadline { return false }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return true
}
