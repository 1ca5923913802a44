package import Simulation

/// What `simulate` prints.
package enum SimulationText {
  package static func summary(
    _ totals: SimulationTotals, _ shortfalls: [String], application: String, window: String
  ) -> String {
    let verdict =
      totals.failures.isEmpty
      ? "all equal to the oracle" : "\(totals.failures.count) differ from the oracle"
    let lines =
      [means(totals)] + shortfalls.map { "too few \($0)" } + [
        "\(totals.seeds) seeds of \(application), window \(window): \(verdict)"
      ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// `mean per seed: events 4711.0 · records 512.3`
  package static func means(_ totals: SimulationTotals) -> String {
    "mean per seed: "
      + totals.means.map { "\($0.name) \(decimal($0.mean))" }.joined(separator: " · ")
  }

  package static func row(_ result: PlantedBugSearch.Result, bug: String) -> String {
    let verdict = result.shown == 0 ? "not found" : "found"
    var text = "\(verdict): \(bug), in \(result.shown) of \(result.seeds) seeds"
    if let first = result.first {
      text += "\n  seed \(first.seed), window \(first.window.word): \(short(first.sentence))"
    }
    if !result.failing.isEmpty {
      text += "\n  \(result.failing.count) seeds fail without it too: \(result.failing)"
    }
    return text + "\n"
  }

  package static func json(
    _ totals: SimulationTotals, _ shortfalls: [String], application: String, window: String
  ) -> String {
    let failures = totals.failures.sorted { $0.seed < $1.seed }
    return JSONValue.object([
      .init(name: "v", value: .number("1")),
      .init(name: "application", value: .string(application)),
      .init(name: "window", value: .string(window)),
      .init(name: "revision", value: .string(Revision.current)),
      .init(name: "seeds", value: .number("\(totals.seeds)")),
      .init(
        name: "means",
        value: .object(
          totals.means.map { .init(name: $0.name, value: .number(decimal($0.mean))) })),
      .init(
        name: "failures",
        value: .array(
          failures.map {
            .object([
              .init(name: "seed", value: .number("\($0.seed)")),
              .init(name: "sentence", value: .string($0.sentence)),
            ])
          })),
      .init(name: "shortfalls", value: .array(shortfalls.map(JSONValue.string))),
    ]).compact
  }

  package static func json(_ result: PlantedBugSearch.Result, bug: String) -> String {
    JSONValue.object([
      .init(name: "v", value: .number("1")),
      .init(name: "bug", value: .string(bug)),
      .init(name: "shown", value: .number("\(result.shown)")),
      .init(name: "seeds", value: .number("\(result.seeds)")),
      .init(
        name: "first",
        value: result.first.map { first in
          .object([
            .init(name: "seed", value: .number("\(first.seed)")),
            .init(name: "window", value: .string(first.window.word)),
            .init(name: "sentence", value: .string(first.sentence)),
          ])
        } ?? .null),
    ]).compact
  }

  /// States may be long; `--json` has all of a sentence.
  package static func short(_ sentence: String) -> String {
    sentence.count <= 600 ? sentence : sentence.prefix(600) + "…"
  }

  private static func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
