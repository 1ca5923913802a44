package import PenstockCore

/// JSON that stands in the vectors, with its members in a stated order.
package indirect enum VectorValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(UInt64)
  case signed(Int64)
  case string(String)
  case list([VectorValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: VectorValue
  }

  package static func members(_ members: KeyValuePairs<String, VectorValue>) -> VectorValue {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }

  package static func hex(_ bytes: Bytes) -> VectorValue {
    .string(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  package static func number(_ value: UInt32) -> VectorValue { .number(UInt64(value)) }

  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): String(value)
    case .signed(let value): String(value)
    case .string(let value): quote(value)
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { quote($0.name) + ": " + $0.value.text }.joined(separator: ", ") + "}"
    }
  }

  private func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
