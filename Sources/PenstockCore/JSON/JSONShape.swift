/// Collects the shape of encodings: two builds that agree on it understand each other's bytes.
public struct JSONShape: Sendable {
  /// For example `{number:int,fact:?string}`.
  public private(set) var text = ""
  /// Names of the types that are coded by a slow, general coder.
  public private(set) var slowTypes: [String] = []
  private var visited: [ObjectIdentifier: Int] = [:]
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
    } else {
      visited[ObjectIdentifier(type)] = count
      count += 1
      let start = text.utf8.count
      T.shape(into: &self)
      // What is short is written again, so that the text can be read.
      if text.utf8.count - start < 12 { visited[ObjectIdentifier(type)] = nil }
    }
  }

  public mutating func appendSlow(_ name: String) {
    text += "slow(\(name))"
    if !slowTypes.contains(name) { slowTypes.append(name) }
  }

  /// FNV-1a of the text.
  public var hash: UInt64 { JSONShape.hash(text.utf8) }

  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
