/// What differs between two encodings of a state, in words.
struct ShapeDifference {
  private(set) var changes: [String] = []

  init(from old: String, to new: String) {
    if old == new { return }
    guard let before = Self.fields(of: old), let after = Self.fields(of: new) else {
      changes = ["\(old) → \(new)"]
      return
    }
    for (name, type) in before {
      guard let now = after.first(where: { $0.name == name }) else {
        changes.append("“\(name)” (\(type)) is gone")
        continue
      }
      if now.type != type { changes.append("“\(name)” was \(type) and is \(now.type)") }
    }
    for (name, type) in after where !before.contains(where: { $0.name == name }) {
      changes.append("“\(name)” (\(type)) is new")
    }
    if changes.isEmpty { changes = ["the fields have another order"] }
  }

  /// The members of `{name:type,…}`; nil for what is no struct.
  private static func fields(of shape: String) -> [(name: String, type: String)]? {
    guard shape.hasPrefix("{"), shape.hasSuffix("}") else { return nil }
    var fields: [(name: String, type: String)] = []
    var depth = 0
    var part = ""
    func finish() {
      guard let colon = part.firstIndex(of: ":") else { return }
      fields.append((String(part[..<colon]), String(part[part.index(after: colon)...])))
      part = ""
    }
    for character in shape.dropFirst().dropLast() {
      switch character {
      case "{", "[", "<", "(": depth += 1
      case "}", "]", ">", ")": depth -= 1
      case "," where depth == 0:
        finish()
        continue
      default: break
      }
      part.append(character)
    }
    finish()
    return fields
  }
}
