/// What became of an operation: its output, or why there is none.
public enum Outcome<Success: JSONCodable>: JSONCodable {
  case success(Success)
  case failure(Failure)

  public func encode(to writer: inout JSONWriter) {
    switch self {
    case .success(let value):
      writer.raw("{\"success\":")
      value.encode(to: &writer)
    case .failure(let failure):
      writer.raw("{\"failure\":")
      failure.encode(to: &writer)
    }
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    let hasValue = try reader.beginCase()
    if hasValue, reader.isKey("success") {
      self = .success(try Success(from: &reader))
    } else if hasValue, reader.isKey("failure") {
      self = .failure(try Failure(from: &reader))
    } else {
      throw reader.error("Expected {\"success\":…} or {\"failure\":…}")
    }
    try reader.endCase()
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<success:")
    shape.append(Success.self)
    shape.append("|failure>")
  }
}

extension Outcome: Encodable where Success: Encodable {}
extension Outcome: Decodable where Success: Decodable {}
extension Outcome: Hashable where Success: Hashable {}
