/// Why an operation has no output. Failures that the router makes have the same form (R1).
public struct Failure: Error, JSONCodable, Codable, Hashable, CustomStringConvertible {
  /// A short stable word, such as `timeout`.
  public var code: String
  public var message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// An attempt took longer than its policy allows.
  public static let timeout = "timeout"
  /// The operation ended itself as cancelled.
  public static let cancelled = "cancelled"
  /// The operation threw an error that is not a `Failure`.
  public static let error = "error"

  public var description: String { "\(code): \(message)" }

  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"code\":")
    writer.string(code)
    writer.raw(",\"message\":")
    writer.string(message)
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    code = Failure.error
    message = ""
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("code") {
        code = try reader.readString()
      } else if reader.isKey("message") {
        message = try reader.readString()
      } else {
        try reader.skipValue()
      }
    }
  }

  public static func shape(into shape: inout JSONShape) { shape.append("failure") }
}
