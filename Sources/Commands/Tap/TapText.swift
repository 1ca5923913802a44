import PenstockCore
import Platform

/// Tap records as lines for people.
package struct TapText: Sendable {
  /// 0: a line each; 1: payloads too; 2: changes of the state too.
  package var verbosity: Int
  package var usesColor: Bool

  package init(verbosity: Int, usesColor: Bool) {
    self.verbosity = verbosity
    self.usesColor = usesColor
  }

  package static let header =
    "TIME          SEQ      KIND     WHO                       WHAT                  "
    + "     LAT  NOTES\n"

  package func line(_ record: JSONValue) -> String {
    let kind = record["k"].text ?? "?"
    switch kind {
    case "action": return action(record)
    case "effect": return effect(record)
    case "process":
      let pid = record["pid"].integer.map { "pid \($0)" } ?? ""
      return row(
        record, "", "process", record["name"].text, record["state"].text, "", [pid], style: nil)
    case "gap":
      let range = "\(record["from"].compact)–\(record["to"].compact)"
      return row(
        record, "", "GAP", "tap", "\(record["lost"].compact) lost", "",
        ["\(record["kind"].text ?? "?") records \(range) are missing: this tap was too slow"],
        style: "7")
    default: return row(record, "", kind, "", record.compact, "", [], style: nil)
    }
  }

  private func action(_ record: JSONValue) -> String {
    var notes: [String] = []
    if let flag = record["flag"].text { notes.append(flag) }
    if let cause = record["cause"].integer { notes.append("⇠\(cause)") }
    notes += record["notes"].elements.compactMap(\.text)
    var text = row(
      record, record["seq"].compact, "action",
      "\(source(of: record)) → \(record["path"].text ?? "?")", record["type"].text,
      record["lat"].integer.map(Quantity.duration) ?? "", notes,
      style: record["flag"].text == nil ? nil : "33")
    if verbosity >= 1 { text += payload(record) }
    if verbosity >= 2 {
      for change in record["patch"].elements {
        text += "    Δ \(TapText.change(change).printable)\n"
      }
    }
    return text
  }

  /// Who sent it; an effect's id stands in the notes already, as the number of its cause.
  private func source(of record: JSONValue) -> String {
    switch record["origin"].text {
    case "timer": "timer"
    case "output", "end": "effect"
    default: record["source"].text ?? "?"
    }
  }

  private func payload(_ record: JSONValue) -> String {
    if record["trunc"].isTrue { return "    (payload of \(record["bytes"].compact) bytes)\n" }
    if let raw = record["raw"].text { return "    (no JSON) \(raw.printable)\n" }
    return record["payload"] == .null ? "" : "    \(record["payload"].compact)\n"
  }

  private func effect(_ record: JSONValue) -> String {
    let path = record["path"].text ?? "?"
    let who = record["worker"].text.map { "\(path) → \($0)" } ?? path
    var notes: [String] = []
    if let attempt = record["attempt"].integer, attempt > 1 { notes.append("attempt \(attempt)") }
    if let message = record["message"].text { notes.append(message) }
    let state = record["state"].text ?? "?"
    return row(
      record, record["seq"].compact, "effect", who,
      "\(record["operation"].text ?? "?") \(state)", "", notes,
      style: state == "failed" ? "31" : "36")
  }

  /// `rows.a.status = "up"`
  static func change(_ change: JSONValue) -> String {
    let path = change["path"].elements.compactMap(\.text).joined(separator: ".")
    let place = path.isEmpty ? "(all)" : path
    switch change["op"].text {
    case "set": return "\(place) = \(change["value"].compact)"
    case "insert": return "\(place) + \(change["value"].compact) at \(change["at"].compact)"
    case "remove": return "\(place) removed"
    case "move": return "\(place) moved to \(change["at"].compact)"
    default: return change.compact
    }
  }

  private func row(
    _ record: JSONValue, _ sequence: String, _ kind: String, _ who: String?, _ what: String?,
    _ latency: String, _ notes: [String], style: String?
  ) -> String {
    // The clock's part of RFC 3339, to the millisecond.
    let time = String((record["t"].text ?? "").dropFirst(11).prefix(12))
    var text =
      [
        left(time, 12), left(sequence, 7), left(kind, 7),
        left(TapText.shortened((who ?? "?").printable, to: 40), 24),
        left((what ?? "?").printable, 20),
      ].joined(separator: "  ") + "  " + right(latency, 6)
    let remarks = notes.filter { !$0.isEmpty }.joined(separator: "  ").printable
    if !remarks.isEmpty { text += "  " + remarks }
    while text.last == " " { text.removeLast() }
    return usesColor && style != nil ? "\u{1B}[\(style ?? "")m\(text)\u{1B}[0m\n" : text + "\n"
  }

  /// Leaves out the middle of what is too long for its column.
  private static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let tail = width / 2
    return "\(text.prefix(width - tail - 1))…\(text.suffix(tail))"
  }

  private func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
