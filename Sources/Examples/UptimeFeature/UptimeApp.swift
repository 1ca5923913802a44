public import Penstock

public struct UptimeApp: PenstockApp {
  public static let name = "uptime"
  public static let operations: [any WorkerOperation.Type] = [Probe.self]

  public var root: Uptime { Uptime() }
  public var initialState: Uptime.State { Uptime.State() }

  public init() {}
}
