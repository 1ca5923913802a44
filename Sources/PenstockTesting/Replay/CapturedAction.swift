package import PenstockCore

/// An action as the tap shows it: a record of the order, and how it changed the state.
package struct CapturedAction: Hashable, Sendable {
  package var record: OrderRecord
  /// nil when no tap asked for changes.
  package var patch: Patch?
  /// Whether something on the way to its feature was not mounted.
  package var isUnmounted = false
  /// What the processes that reduced it said of it.
  package var diagnostics: [String] = []

  init(_ record: OrderRecord) { self.record = record }

  /// - Parameter leftOut: gives the payload of an action that is too large for the tap, where that can
  ///   be looked up.
  /// - Returns: nil for a line of another kind.
  /// - Throws: when the line is no record of a tap, or one that does not say all of its action.
  package init?(
    _ line: Bytes, leftOut: ((UInt64) throws(JSONError) -> Bytes)? = nil
  ) throws(JSONError) {
    let fields = try JSONFields(line)
    guard try fields.text("k") == "action" else { return nil }
    let sequence: UInt64 = try fields.integer("seq")
    var large: Bytes?
    if fields.has("trunc") {
      guard let leftOut else {
        throw fields.error(
          "the payload of action \(sequence) was left out, because it is too large")
      }
      large = try leftOut(sequence)
    }
    guard fields.has("from") else {
      throw fields.error("an action has no member from: an older version captured it")
    }
    guard let path = Path(try fields.text("path")),
      let origin = Origin(text: try fields.text("from")),
      let now = CapturedAction.microseconds(of: try fields.text("t"))
    else { throw fields.error("path, origin or time of an action can't be read") }
    let payload = fields.has("raw") ? Bytes(try fields.text("raw").utf8) : fields.raw("payload")
    record = OrderRecord(
      sequence: sequence, path: path, payload: large ?? payload ?? [], now: now,
      seed: try fields.integer("seed"), origin: origin, correlation: try fields.integer("corr"),
      mark: try fields.optionalText("flag").flatMap { VoidReason(word: $0) })
    isUnmounted = try fields.optionalText("flag") == "unmounted"
    if fields.has("notes") {
      for note in try fields.elements("notes") {
        var reader = JSONReader(note)
        diagnostics.append(try reader.readString())
      }
    }
    if fields.has("patch") { patch = try CapturedAction.patch(try fields.elements("patch")) }
  }

  private static func patch(_ elements: [Bytes]) throws(JSONError) -> Patch {
    var operations: [PatchOperation] = []
    for element in elements {
      let fields = try JSONFields(element)
      var path: [String] = []
      for name in try fields.elements("path") {
        var reader = JSONReader(name)
        path.append(try reader.readString())
      }
      let change: PatchOperation.Change
      switch try fields.text("op") {
      case "set": change = .set(fields.raw("value") ?? [])
      case "insert": change = .insert(fields.raw("value") ?? [], at: try fields.integer("at"))
      case "remove": change = .remove
      case "move": change = .move(to: try fields.integer("at"))
      case let other: throw fields.error("\(other) is no change")
      }
      operations.append(PatchOperation(path: path, change: change))
    }
    return Patch(operations)
  }

  /// Reads `2026-11-30T14:02:07.361204Z`, microseconds since 1970.
  private static func microseconds(of text: String) -> Int64? {
    let parts = text.split { !$0.isNumber }.map { Int64($0) }
    guard parts.count == 7, text.hasSuffix("Z"), let year = parts[0], let month = parts[1],
      let day = parts[2], let hour = parts[3], let minute = parts[4], let second = parts[5],
      let fraction = parts[6]
    else { return nil }
    // Days of the proleptic Gregorian calendar; years are counted from March.
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + fraction
  }
}
