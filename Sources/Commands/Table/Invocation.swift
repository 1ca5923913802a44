/// What the arguments say.
package struct Invocation: Hashable, Sendable {
  package var command: Command
  package var words: [String]
  /// The values of each option by its name; a flag's value is empty.
  package var options: [String: [String]]

  package func has(_ name: String) -> Bool { options[name] != nil }
  package func count(_ name: String) -> Int { options[name]?.count ?? 0 }
  package func values(_ name: String) -> [String] { options[name] ?? [] }
  package func value(_ name: String) -> String? { options[name]?.last }

  /// - Throws: `CommandFailure` (usage) when the value is no number from 1 on.
  package func number(_ name: String, orZero: Bool = false) throws(CommandFailure) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), number >= (orZero ? 0 : 1) else {
      throw CommandFailure(.usage, "PS-A05", "--\(name) needs a number, not \"\(text)\"")
    }
    return number
  }

  /// The word at a place as an action's number.
  package func sequence(_ place: Int) throws(CommandFailure) -> UInt64 {
    guard let sequence = UInt64(words[place]) else {
      throw CommandFailure(
        .usage, "PS-A09", "\"\(words[place])\" is no action's number",
        "Numbers stand in the tap, and `send` prints them.")
    }
    return sequence
  }

  package func duration(_ name: String) throws(CommandFailure) -> Duration? {
    guard let text = value(name) else { return nil }
    guard let duration = Duration(text: text) else {
      throw CommandFailure(
        .usage, "PS-A06", "--\(name) needs a duration, not \"\(text)\"", "Such as 500ms, 5s or 2m")
    }
    return duration
  }

  package var isJSON: Bool { has("json") || ["json", "jsonl"].contains(value("output")) }
}

extension Duration {
  private static var longestHours: Double { 100_000 }

  /// Reads `500ms`, `5s`, `1.5m` or `2h`; a bare number is seconds. Up to 100,000 hours.
  package init?(text: String) {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let unit: Double
    switch text.dropFirst(digits.count) {
    case "ms": unit = 0.001
    case "s", "": unit = 1
    case "m": unit = 60
    case "h": unit = 3600
    default: return nil
    }
    // Sums with what a clock shows must not overflow.
    guard let number = Double(digits), number * unit <= Self.longestHours * 3600 else { return nil }
    self = .microseconds((number * unit * 1_000_000).rounded())
  }
}
