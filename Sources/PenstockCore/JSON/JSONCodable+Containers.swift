extension Array: JSONCodable where Element: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    writer.byte(UInt8(ascii: "["))
    var isFirst = true
    for element in self {
      if !isFirst { writer.byte(UInt8(ascii: ",")) }
      isFirst = false
      element.encode(to: &writer)
    }
    writer.byte(UInt8(ascii: "]"))
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self = []
    try reader.beginArray()
    while try reader.nextElement() { append(try Element(from: &reader)) }
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("[")
    shape.append(Element.self)
    shape.append("]")
  }
}

/// `null` or the value; where the value may be `null` itself, `{"some":VALUE}`.
extension Optional: JSONCodable where Wrapped: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    guard let self else { return writer.null() }
    if Wrapped.canBeNull {
      writer.raw("{\"some\":")
      self.encode(to: &writer)
      writer.byte(UInt8(ascii: "}"))
    } else {
      self.encode(to: &writer)
    }
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    if try reader.readNull() {
      self = nil
    } else if Wrapped.canBeNull {
      guard try reader.beginCase(), reader.isKey("some") else {
        throw reader.error("Expected null or {\"some\":…}")
      }
      self = .some(try Wrapped(from: &reader))
      try reader.endCase()
    } else {
      self = .some(try Wrapped(from: &reader))
    }
  }

  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard let before = old, let after = new else { return patch.set(new) }
    if Wrapped.canBeNull {
      patch.member("some", before, after)
    } else {
      Wrapped.difference(from: before, to: after, into: &patch)
    }
  }

  public mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    if path.isEmpty, case .set = change { return try replace(by: change, at: path) }
    guard self != nil, !Wrapped.canBeNull || path.first == "some" else {
      throw JSONError(offset: 0, message: "A patch changes what is not there: \(path)")
    }
    try self!.apply(change, at: Wrapped.canBeNull ? path.dropFirst() : path)
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("?")
    shape.append(Wrapped.self)
  }

  public static var canBeNull: Bool { true }
}
