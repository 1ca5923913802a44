import PenstockCore

/// Values as Swift source, as far as reflection shows how they are written; what can't be written is
/// decoded from its JSON.
enum SwiftLiteral {
  /// `.left(.fact(.success("prime")))`, or `try decoded(#"{…}"#)`.
  static func text(_ value: some JSONCodable) -> String { plain(value) ?? decoding(value) }

  /// The JSON of a value, in a literal that needs no escapes.
  static func json(_ value: some JSONCodable) -> String {
    let text = String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
    var marks = "#"
    while text.contains("\"\(marks)") { marks += "#" }
    return "\(marks)\"\(text)\"\(marks)"
  }

  static func string(_ text: String) -> String { text.debugDescription }

  private static func decoding(_ value: some JSONCodable) -> String {
    "try decoded(\(json(value)))"
  }

  /// A part of a value: nil when neither can be done, and the whole is to be decoded.
  private static func part(_ value: Any) -> String? {
    if let plain = plain(value) { return plain }
    guard let coded = value as? any JSONCodable else { return nil }
    return decoding(coded)
  }

  private static func plain(_ value: Any) -> String? {
    switch value {
    case let text as String: return string(text)
    case let flag as Bool: return "\(flag)"
    case let number as any BinaryInteger: return "\(number)"
    case let number as Double where number.isFinite: return "\(number)"
    case let failure as Failure:
      return "Failure(code: \(string(failure.code)), message: \(string(failure.message)))"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { part($0.value) } ?? "nil"
    case .enum: return enumeration(value, mirror)
    case .collection where "\(type(of: value))".hasPrefix("Array<"):
      let elements = mirror.children.map { part($0.value) }
      return elements.contains(nil)
        ? nil : "[\(elements.compactMap { $0 }.joined(separator: ", "))]"
    default: return nil
    }
  }

  private static func enumeration(_ value: Any, _ mirror: Mirror) -> String? {
    guard let payload = mirror.children.first, let name = payload.label else {
      // A description of one's own is no case's name.
      return value is any CustomStringConvertible ? nil : ".\(value)"
    }
    let inside = Mirror(reflecting: payload.value)
    guard inside.displayStyle == .tuple else {
      return part(payload.value).map { ".\(name)(\($0))" }
    }
    var parts: [String] = []
    for child in inside.children {
      guard let text = part(child.value) else { return nil }
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      parts.append(label + text)
    }
    return ".\(name)(\(parts.joined(separator: ", ")))"
  }

  // MARK: Changes

  /// Assignments that make of one state the other one: `$0.left.count = 1`.
  static func changes<State: JSONCodable>(from old: State, to new: State) -> [String] {
    if JSONWriter.bytes(of: old) == JSONWriter.bytes(of: new) { return [] }
    return fields(old, new, at: "$0") ?? ["$0 = \(text(new))"]
  }

  /// - Returns: nil when the fields can't be looked at one by one.
  private static func fields(_ old: Any, _ new: Any, at place: String) -> [String]? {
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard before.displayStyle == .struct, after.displayStyle == .struct,
      !(new is any CustomStringConvertible), !(new is any Sequence), !after.children.isEmpty
    else { return nil }
    var lines: [String] = []
    for (child, other) in zip(before.children, after.children) {
      guard let label = other.label, !label.hasPrefix("_"),
        let coded = other.value as? any JSONCodable,
        let past = child.value as? any JSONCodable
      else { return nil }
      if JSONWriter.bytes(of: past) == JSONWriter.bytes(of: coded) { continue }
      let member = "\(place).\(label)"
      lines +=
        fields(child.value, other.value, at: member)
        ?? inside(child.value, other.value, at: member)
        ?? ["\(member) = \(text(coded))"]
    }
    // What differs in no field is somewhere else.
    return lines.isEmpty ? nil : lines
  }

  /// The fields of what an optional holds before and after.
  private static func inside(_ old: Any, _ new: Any, at place: String) -> [String]? {
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard before.displayStyle == .optional, after.displayStyle == .optional,
      let past = before.children.first?.value, let now = after.children.first?.value
    else { return nil }
    return fields(past, now, at: "\(place)?")
  }
}
