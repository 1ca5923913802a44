extension FixedWidthInteger where Self: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.integer(self) }
  public init(from reader: inout JSONReader) throws(JSONError) {
    self = try reader.readInteger()
  }
  public static func shape(into shape: inout JSONShape) { shape.append("int") }
}

extension Int: JSONCodable {}
extension Int8: JSONCodable {}
extension Int16: JSONCodable {}
extension Int32: JSONCodable {}
extension Int64: JSONCodable {}
extension UInt: JSONCodable {}
extension UInt8: JSONCodable {}
extension UInt16: JSONCodable {}
extension UInt32: JSONCodable {}
extension UInt64: JSONCodable {}

extension Bool: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.bool(self) }
  public init(from reader: inout JSONReader) throws(JSONError) { self = try reader.readBool() }
  public static func shape(into shape: inout JSONShape) { shape.append("bool") }
}

extension Double: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.double(self) }
  public init(from reader: inout JSONReader) throws(JSONError) { self = try reader.readDouble() }
  public static func shape(into shape: inout JSONShape) { shape.append("double") }
}

extension Float: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.double(Double(self)) }
  public init(from reader: inout JSONReader) throws(JSONError) {
    self = Float(try reader.readDouble())
  }
  public static func shape(into shape: inout JSONShape) { shape.append("double") }
}

extension String: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.string(self) }
  public init(from reader: inout JSONReader) throws(JSONError) { self = try reader.readString() }
  public static func shape(into shape: inout JSONShape) { shape.append("string") }
}

/// Two integers, `[seconds,attoseconds]`, so that nothing is rounded.
extension Duration: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    let (seconds, attoseconds) = components
    writer.byte(UInt8(ascii: "["))
    writer.integer(seconds)
    writer.byte(UInt8(ascii: ","))
    writer.integer(attoseconds)
    writer.byte(UInt8(ascii: "]"))
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    let parts = try [Int64](from: &reader)
    guard parts.count == 2 else { throw reader.error("Expected [seconds,attoseconds]") }
    self = Duration(secondsComponent: parts[0], attosecondsComponent: parts[1])
  }

  public static func shape(into shape: inout JSONShape) { shape.append("duration") }
}

/// No information: an empty object.
public struct Nothing: JSONCodable, Codable, Hashable {
  public init() {}
  public func encode(to writer: inout JSONWriter) { writer.raw("{}") }
  public init(from reader: inout JSONReader) throws(JSONError) { try reader.skipValue() }
  public static func shape(into shape: inout JSONShape) { shape.append("{}") }
}
