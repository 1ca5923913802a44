public import FoundationEssentials

/// Microseconds since 1970, rounded.
extension Date: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    writer.integer(Int64((timeIntervalSince1970 * 1_000_000).rounded()))
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    let microseconds: Int64 = try reader.readInteger()
    self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
  }

  public static func shape(into shape: inout JSONShape) { shape.append("date") }
}

extension UUID: CanonicalID {
  public func encode(to writer: inout JSONWriter) { writer.string(uuidString) }

  public init(from reader: inout JSONReader) throws(JSONError) {
    guard let id = UUID(uuidString: try reader.readString()) else {
      throw reader.error("Expected a UUID")
    }
    self = id
  }

  public static func shape(into shape: inout JSONShape) { shape.append("uuid") }

  public var canonicalText: String { uuidString }
  public init?(canonicalText: String) {
    guard let id = UUID(uuidString: canonicalText), id.uuidString == canonicalText else {
      return nil
    }
    self = id
  }
}

extension URL: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.string(absoluteString) }

  public init(from reader: inout JSONReader) throws(JSONError) {
    guard let url = URL(string: try reader.readString()) else {
      throw reader.error("Expected a URL")
    }
    self = url
  }

  public static func shape(into shape: inout JSONShape) { shape.append("url") }
}

/// Base64.
extension Data: JSONCodable {
  public func encode(to writer: inout JSONWriter) { writer.string(base64EncodedString()) }

  public init(from reader: inout JSONReader) throws(JSONError) {
    guard let data = Data(base64Encoded: try reader.readString()) else {
      throw reader.error("Expected base64")
    }
    self = data
  }

  public static func shape(into shape: inout JSONShape) { shape.append("data") }
}
