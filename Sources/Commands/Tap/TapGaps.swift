import Machines
import PenstockCore

/// Finds lost records by the publisher's counters.
package struct TapGaps: Sendable {
  private var last: [String: Int64] = [:]
  package private(set) var lost: Int64 = 0

  package init() {}

  /// - Returns: a record of the kind `gap` when records are missing before this one.
  package mutating func receive(_ record: JSONValue) -> JSONValue? {
    guard let kind = record["k"].text, let counter = record["n"].integer else { return nil }
    defer { last[kind] = counter }
    // A counter that starts anew is another publisher: the router was restarted.
    guard let previous = last[kind], counter > previous + 1 else { return nil }
    let missing = counter - previous - 1
    lost += missing
    return .object([
      .init(name: "v", value: .number("1")),
      .init(name: "k", value: .string(TapKind.gap.rawValue)),
      .init(name: "t", value: record["t"]),
      .init(name: "kind", value: .string(kind)),
      .init(name: "from", value: .number("\(previous + 1)")),
      .init(name: "to", value: .number("\(counter - 1)")),
      .init(name: "lost", value: .number("\(missing)")),
    ])
  }
}
