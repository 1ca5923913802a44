/// Collects the shape of encodings: two builds that agree on it understand each other's bytes.
public struct JSONShape: Sendable {
  /// For example `{number:int,fact:?string}`.
  public private(set) var text = ""
  /// Names of the types that are coded by a slow, general coder.
  public private(set) var slowTypes: [String] = []
  /// Whether a value may be nested in values of its own type, or is coded by a general coder: the
  /// types do not say then how deep an encoding nests.
  package private(set) var isUnbounded = false
  private var visited: [ObjectIdentifier: Int] = [:]
  /// Types whose shapes are being appended.
  private var open: Set<ObjectIdentifier> = []
  private var count = 0
  private let others: Set<ObjectIdentifier>

  public init() { others = [] }

  /// - Parameter others: types of states that stand for themselves: they are written `state`.
  package init(besides others: Set<ObjectIdentifier>) { self.others = others }

  public mutating func append(_ part: String) { text += part }

  /// Appends the shape of a type; one that was described already is named by its number.
  public mutating func append<T: JSONCodable>(_ type: T.Type) {
    if others.contains(ObjectIdentifier(type)) {
      text += "state"
    } else if let number = visited[ObjectIdentifier(type)] {
      text += "#\(number)"
      if open.contains(ObjectIdentifier(type)) { isUnbounded = true }
    } else {
      visited[ObjectIdentifier(type)] = count
      count += 1
      let start = text.utf8.count
      open.insert(ObjectIdentifier(type))
      T.shape(into: &self)
      open.remove(ObjectIdentifier(type))
      // What is short is written again, so that the text can be read.
      if text.utf8.count - start < 12 { visited[ObjectIdentifier(type)] = nil }
    }
  }

  public mutating func appendSlow(_ name: String) {
    text += "slow(\(name))"
    isUnbounded = true
    if !slowTypes.contains(name) { slowTypes.append(name) }
  }

  /// FNV-1a of the text.
  public var hash: UInt64 { JSONShape.hash(text.utf8) }

  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
