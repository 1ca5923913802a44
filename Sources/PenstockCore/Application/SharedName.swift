/// Which value a feature shares: a stored field of one owner's state, written `/settings#interval`.
public struct SharedName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The owner's address.
  public let path: Path
  /// The field's wire name.
  public let field: String

  public init(path: Path, field: String) {
    self.path = path
    self.field = field
  }

  /// Reads what `description` writes; nil when it is something else.
  public init?(_ text: String) {
    guard let mark = text.lastIndex(of: "#"), let path = Path(String(text[..<mark])) else {
      return nil
    }
    let field = String(text[text.index(after: mark)...])
    if field.isEmpty { return nil }
    self.init(path: path, field: field)
  }

  public var description: String { "\(path)#\(field)" }

  public static func < (left: SharedName, right: SharedName) -> Bool {
    (left.path, left.field) < (right.path, right.field)
  }
}

/// A shared value as a stage is given it: as of the record before (R15).
package struct SharedReading: Hashable, Sendable {
  package var name: SharedName
  package var value: Bytes

  package init(name: SharedName, value: Bytes) {
    self.name = name
    self.value = value
  }
}
