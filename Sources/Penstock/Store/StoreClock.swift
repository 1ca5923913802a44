internal import FoundationEssentials

/// Where a store in one process takes its time from. Microseconds since 1970.
public struct StoreClock: Sendable {
  public var now: @Sendable () -> Int64
  public var sleep: @Sendable (_ until: Int64) async throws -> Void

  public init(
    now: @escaping @Sendable () -> Int64,
    sleep: @escaping @Sendable (_ until: Int64) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  public static let live = StoreClock(
    now: { Int64(Date().timeIntervalSince1970 * 1_000_000) },
    sleep: { due in
      let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
      if due > now { try await Task.sleep(for: .microseconds(due - now)) }
    })
}
