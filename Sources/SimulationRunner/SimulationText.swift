import Machines
import PenstockCore
import Simulation

/// What a simulation prints.
struct SimulationText {
  private let request: SimulationRequest
  private let totals: SimulationTotals
  private let shortfalls: [String]

  init(_ request: SimulationRequest, _ totals: SimulationTotals, _ shortfalls: [String]) {
    self.request = request
    self.totals = totals
    self.shortfalls = shortfalls
  }

  private var window: String { request.actualWindow.word }

  var summary: String {
    let verdict =
      totals.failures.isEmpty
      ? "nothing is broken" : "\(totals.failures.count) break an invariant"
    let lines =
      [means, paths] + shortfalls + [
        "\(totals.seeds) seeds of \(request.name), window \(window), "
          + "revision \(Revision.current): \(verdict)"
      ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// `mean per seed: events 4711.00 · records 512.30`
  var means: String {
    "mean per seed: "
      + totals.means.map { "\($0.name) \(Self.decimal($0.mean))" }.joined(separator: " · ")
  }

  /// How often each rare path was reached, a line each.
  private var paths: String {
    let width = "\(RarePath.allCases.map { totals.reached[$0] }.max() ?? 0)".count
    return RarePath.allCases.map { path in
      let count = "\(totals.reached[path])"
      return String(repeating: " ", count: width - count.count + 2) + "\(count)  \(path.rawValue)"
    }.joined(separator: "\n")
  }

  /// A failure in a line.
  static func row(_ seed: UInt64, _ window: WindowPolicy, _ violation: Violation) -> String {
    "seed \(seed), window \(window.word), revision \(Revision.current) breaks "
      + "“\(violation.invariant.rawValue)”\n  \(short(violation.sentence))\n"
  }

  static func shrunk(_ result: Shrinker.Result, _ violation: Violation) -> String {
    let keep = result.keep
    return "  shrunk in \(result.runs) runs to \(count(keep.actions, "action")), "
      + "\(count(keep.faults, "fault")), \(keep.clients) clients, \(keep.workers) workers: "
      + "\(short(violation.sentence))\n"
  }

  private static func count(_ kept: Set<Int>?, _ what: String) -> String {
    kept.map { "\($0.count) \(what)\($0.count == 1 ? "" : "s")" } ?? "all \(what)s"
  }

  static func row(_ result: PlantedBugSearch.Result, bug: String) -> String {
    let verdict = result.shown == 0 ? "not found" : "found"
    var text = "\(verdict): \(bug), in \(result.shown) of \(result.seeds) seeds"
    if let first = result.first {
      text +=
        "\n  seed \(first.seed), window \(first.window.word), \(first.violation.invariant.rawValue):"
        + " \(short(first.violation.sentence))"
    }
    if !result.failing.isEmpty {
      text += "\n  \(result.failing.count) seeds fail without it too: \(result.failing)"
    }
    return text + "\n"
  }

  /// States may be long; `--json` and the trace have all of a sentence.
  private static func short(_ sentence: String) -> String {
    sentence.count <= 300 ? sentence : sentence.prefix(300) + "…"
  }

  private static func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

extension SimulationText {
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("application") { $0.string(request.name) }
      writer.member("window") { $0.string(window) }
      writer.member("revision") { $0.string(Revision.current) }
      writer.member("seeds") { $0.integer(totals.seeds) }
      writer.member("means") { writer in
        writer.object { writer in
          for (name, mean) in totals.means {
            writer.member(name) { $0.raw(Array(Self.decimal(mean).utf8)) }
          }
        }
      }
      writer.member("rarePaths") { writer in
        writer.object { writer in
          for path in RarePath.allCases {
            writer.member(path.rawValue) { $0.integer(totals.reached[path]) }
          }
        }
      }
      writer.member("failures") { writer in
        writer.array { writer in
          for failure in totals.failures.sorted(by: { $0.seed < $1.seed }) {
            writer.element { writer in
              writer.object { writer in
                writer.member("seed") { $0.integer(failure.seed) }
                writer.member("invariant") { $0.string(failure.violation.invariant.rawValue) }
                writer.member("sentence") { $0.string(failure.violation.sentence) }
              }
            }
          }
        }
      }
      writer.member("shortfalls") { writer in
        writer.array { writer in
          for shortfall in shortfalls { writer.element { $0.string(shortfall) } }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  static func json(_ result: PlantedBugSearch.Result, bug: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("bug") { $0.string(bug) }
      writer.member("shown") { $0.integer(result.shown) }
      writer.member("seeds") { $0.integer(result.seeds) }
      writer.member("first") { writer in
        guard let first = result.first else { return writer.null() }
        writer.object { writer in
          writer.member("seed") { $0.integer(first.seed) }
          writer.member("window") { $0.string(first.window.word) }
          writer.member("invariant") { $0.string(first.violation.invariant.rawValue) }
          writer.member("sentence") { $0.string(first.violation.sentence) }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
