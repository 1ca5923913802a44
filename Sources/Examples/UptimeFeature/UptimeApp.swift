public import Penstock

public struct UptimeApp: PenstockApp {
  public static let name = "uptime"
  public static let operations: [any WorkerOperation.Type] = [Probe.self]

  public var root: Uptime { Uptime() }
  public var initialState: Uptime.State { Uptime.State() }
  public var samples: [Sample<Uptime.Action>] { Self.targets.flatMap(samples) + others }

  private static let targets = ["a", "b", "c"]

  private func samples(_ id: String) -> [Sample<Uptime.Action>] {
    let target = NewTarget(url: "http://\(id)/", name: id, interval: 2_000)
    let probe = Uptime.Action.targets(.rows(.element(id: id, action: .probe)))
    return [
      .action(.targets(.add(target))), .action(.targets(.remove(id))), .action(probe),
      .action(probe), .action(probe), .action(.alerts(.acknowledge(id))),
    ]
  }

  private var others: [Sample<Uptime.Action>] {
    [
      .action(.alerts(.remind)), .action(.clearIncidents),
      .action(.settings(.setInterval(1_500))), .action(.settings(.setInterval(3_000))),
      .output(ProbeResult(isUp: true, latency: 12, reason: ""), of: Probe.self),
      .output(ProbeResult(isUp: false, latency: 0, reason: "refused"), of: Probe.self),
      .output(
        ProbeResult(isUp: false, latency: 3, reason: "status 500 instead of 200"), of: Probe.self),
    ]
  }

  public init() {}
}
