/// Names an element of a stack: the first of a stack is 0, and none is used twice.
public struct StackElementID: CanonicalID, Codable, Hashable, Comparable, Sendable {
  public var generation: Int

  public init(_ generation: Int) { self.generation = generation }

  public var canonicalText: String { generation.canonicalText }

  public init?(canonicalText: String) {
    guard let generation = Int(canonicalText: canonicalText) else { return nil }
    self.init(generation)
  }

  public func encode(to writer: inout JSONWriter) { generation.encode(to: &writer) }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init(try Int(from: &reader))
  }

  public static func shape(into shape: inout JSONShape) { shape.append("id") }

  public static func < (left: Self, right: Self) -> Bool { left.generation < right.generation }

  public init(from decoder: any Decoder) throws { self.init(try Int(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try generation.encode(to: encoder) }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self.init(value) }
}

extension StackElementID: CustomStringConvertible {
  public var description: String { "#\(generation)" }
}
