package import PenstockCore
import Platform

/// Any JSON value, members in their order, numbers as they were written.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue
  }

  package init(_ bytes: Bytes) throws(JSONError) {
    var reader = JSONReader(bytes)
    self = try JSONValue(from: &reader)
    try reader.finish()
  }

  private init(from reader: inout JSONReader) throws(JSONError) {
    switch try reader.peek() {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      try reader.beginObject()
      while try reader.nextMember() {
        let name = try reader.keyText()
        members.append(Member(name: name, value: try JSONValue(from: &reader)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try reader.beginArray()
      while try reader.nextElement() { elements.append(try JSONValue(from: &reader)) }
      self = .array(elements)
    case UInt8(ascii: "\""): self = .string(try reader.readString())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try reader.readBool())
    case UInt8(ascii: "n"):
      _ = try reader.readNull()
      self = .null
    default:
      let range = try reader.readRaw()
      self = .number(String(decoding: reader.bytes[range], as: UTF8.self))
    }
  }

  // MARK: Reading

  package subscript(_ name: String) -> JSONValue {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.name == name }?.value ?? .null
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var isTrue: Bool { self == .bool(true) }
  package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  package var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }

  // MARK: Writing

  /// On one line, without spaces.
  package var compact: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): JSONValue.quoted(text)
    case .array(let elements): "[" + elements.map(\.compact).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { JSONValue.quoted($0.name) + ":" + $0.value.compact }.joined(separator: ",")
        + "}"
    }
  }

  /// Over several lines, two spaces a level; what fits stands on one.
  package func pretty(indent: String = "", width: Int = 80) -> String {
    let inside = indent + "  "
    let parts: [String]
    let brackets: (String, String)
    switch self {
    case .array(let elements):
      parts = elements.map { $0.pretty(indent: inside, width: width) }
      brackets = ("[", "]")
    case .object(let members):
      parts = members.map {
        JSONValue.quoted($0.name) + ": " + $0.value.pretty(indent: inside, width: width)
      }
      brackets = ("{", "}")
    default: return compact
    }
    guard !parts.isEmpty else { return brackets.0 + brackets.1 }
    let line = brackets.0 + parts.joined(separator: ", ") + brackets.1
    if line.count + indent.count <= width, !line.contains("\n"), isFlat { return line }
    return brackets.0 + "\n" + parts.map { inside + $0 }.joined(separator: ",\n") + "\n" + indent
      + brackets.1
  }

  /// Whether it holds scalars (or holders of scalars) only, so that it reads well on a line.
  private var isFlat: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.isFlatInside)
    case .object(let members): members.allSatisfy(\.value.isFlatInside)
    default: true
    }
  }

  private var isFlatInside: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: true
    }
  }

  /// Escapes more than JSON requires: what terminals act on, too.
  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self).printable
  }
}
