import PenstockCore

/// A line of a recording.
enum RecordedLine {
  case action(CapturedAction)
  /// The state with which a capture begins.
  case state(Bytes, asOf: UInt64)
  /// A record of before was set aside.
  case mark(UInt64, VoidReason)
  case other

  init(_ line: Bytes) throws(JSONError) {
    let fields = try JSONFields(line)
    if fields.has("k") {
      if try fields.text("k") == "header" {
        guard let state = fields.raw("state") else { throw fields.error("it has no state") }
        self = .state(state, asOf: try fields.integer("seq"))
      } else {
        self = try CapturedAction(line).map { .action($0) } ?? .other
      }
      return
    }
    guard fields.has("kind") else {
      guard fields.has("application") || fields.has("end") else {
        throw fields.error("it is neither a journal's export nor a tap's record")
      }
      self = .other
      return
    }
    switch try fields.text("kind") {
    case "record": self = .action(CapturedAction(try RecordedLine.record(fields)))
    case "mark":
      guard let reason = VoidReason(word: try fields.text("reason")) else {
        throw fields.error("its reason is unknown")
      }
      self = .mark(try fields.integer("sequence"), reason)
    default: self = .other
    }
  }

  private static func record(_ fields: JSONFields) throws(JSONError) -> OrderRecord {
    guard let path = Path(try fields.text("path")),
      let origin = Origin(text: try fields.text("origin"))
    else { throw fields.error("its path or origin can't be read") }
    guard fields.has("payload") else { throw fields.error("its payload is no text") }
    return OrderRecord(
      sequence: try fields.integer("sequence"), path: path,
      payload: Bytes(try fields.text("payload").utf8), now: try fields.integer("now"),
      seed: try fields.integer("seed"), origin: origin,
      correlation: try fields.integer("correlation"))
  }
}
