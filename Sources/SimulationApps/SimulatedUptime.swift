import Penstock
package import PenstockCore
package import Simulation
import UptimeFeature

/// The example under simulation: targets that come, go and fail.
package struct SimulatedUptime: SimulatedApplication {
  package init() {}

  package var program: any ApplicationProgram { Self.shared }

  private static let shared = Application(UptimeApp())

  package var placements: [[Path]] {
    [
      ["/", "/targets", "/alerts"],
      ["/", "/settings", "/alerts"],
      ["/", "/targets", "/settings", "/alerts"],
    ].map { $0.map { Path($0)! } }
  }

  /// Alerts go only when a probe has ended.
  package var leastUnmounts: Double? { 0.2 }

  package func action(using generator: inout SeededGenerator) -> (path: Path, payload: Bytes) {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    func name() -> String { "target-\(number(2))" }
    func target() -> String {
      let limit = 1 + number(4) / 3
      return
        #"{"url":"http://localhost/","name":"\#(name())","interval":\#(2_000 + number(3_000)),"#
        + #""failuresUntilDown":\#(limit)}"#
    }
    let (path, payload): (String, String) =
      switch number(20) {
      case 0, 1: ("/targets", #"{"add":\#(target())}"#)
      case 2: ("/targets", #"{"load":[\#(target()),\#(target())]}"#)
      case 3: ("/targets", #"{"remove":"\#(name())"}"#)
      case 4...9: ("/targets/rows/\(name())", #""probe""#)
      case 10: ("/settings", #"{"setInterval":\#(2_000 + number(3_000))}"#)
      case 11: ("/settings", #"{"change":\#(settings(failures: 1 + number(2)))}"#)
      case 12...15: ("/alerts", #"{"acknowledge":"\#(name())"}"#)
      case 16...18: ("/alerts", #""remind""#)
      default: ("/", #""clearIncidents""#)
      }
    return (Path(path)!, Array(payload.utf8))
  }

  private func settings(failures: Int) -> String {
    var settings = ProbeSettings()
    settings.failuresUntilDown = failures
    return String(decoding: JSONWriter.bytes(of: settings), as: UTF8.self)
  }

  package func outcome(
    of operation: String, input: Bytes, using generator: inout SeededGenerator
  ) -> SimulatedOutcome {
    let draw = Int.random(in: 0..<100, using: &generator)
    if draw < 10 { return SimulatedOutcome(outputs: [], fails: true) }
    let isUp = draw < 45
    let reason = isUp ? "" : "status 500 instead of 200"
    let result = #"{"isUp":\#(isUp),"latency":\#(draw),"reason":"\#(reason)"}"#
    return SimulatedOutcome(outputs: [Array(result.utf8)])
  }
}
