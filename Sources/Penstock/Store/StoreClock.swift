/// Where a store in one process takes its time from, in microseconds since 1970. The library reads
/// no clock itself; `PenstockRuntime` has the system's.
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
}
