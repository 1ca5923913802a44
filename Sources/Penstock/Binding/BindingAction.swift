/// A new value for one field of a state: `.set(.name, "x")`, encoded as `{"name":"x"}`.
///
/// It names the field as the state's encoding does, so it travels and the tap shows what was set.
public struct BindingAction<State: ObservableState>: JSONCodable {
  /// The field's name.
  public let field: String
  /// The encoded value.
  package let value: Bytes

  init(field: String, value: Bytes) {
    self.field = field
    self.value = value
  }

  /// - Precondition: the key path leads to a stored field of the state, not below one.
  public static func set<Value: JSONCodable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> Self {
    BindingAction(field: name(of: keyPath), value: JSONWriter.bytes(of: value))
  }

  /// `case .binding(.name):`, whatever the value.
  public static func ~= (keyPath: PartialKeyPath<State>, action: Self) -> Bool {
    action.field == State.fieldName(of: keyPath)
  }

  private static func name(of keyPath: PartialKeyPath<State>) -> String {
    guard let name = State.fieldName(of: keyPath) else {
      preconditionFailure("A binding sets a stored field of \(State.self), and this is none")
    }
    return name
  }

  /// Puts the value into the state.
  func apply(to state: inout State) throws(JSONError) {
    try state.apply(.set(value), at: [field])
  }

  public func encode(to writer: inout JSONWriter) {
    writer.raw("{")
    writer.string(field)
    writer.raw(":")
    writer.raw(value)
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    var found: (String, Bytes)?
    try reader.beginObject()
    while try reader.nextMember() {
      guard found == nil else { throw reader.error("A binding sets one field") }
      found = (try reader.keyText(), Bytes(reader.bytes[try reader.readRaw()]))
    }
    guard let (field, value) = found else { throw reader.error("A binding sets a field") }
    self.init(field: field, value: value)
  }

  public static func shape(into shape: inout JSONShape) { shape.append("binding") }
}

extension BindingAction: Codable {
  public func encode(to encoder: any Encoder) throws {
    try [field, String(decoding: value, as: UTF8.self)].encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let parts = try [String](from: decoder)
    guard parts.count == 2 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "Expected a field and a value"))
    }
    self.init(field: parts[0], value: Bytes(parts[1].utf8))
  }
}
