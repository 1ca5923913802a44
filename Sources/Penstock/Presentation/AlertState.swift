public import FoundationEssentials

/// An alert or a question: what it says, and which actions its buttons send. It goes with the first.
public struct AlertState<Action: JSONCodable>: JSONCodable, Identifiable, EphemeralState {
  /// Tells two alerts of equal content apart. It comes from the order, as `@Dependency(\.uuid)` does.
  public var id: UUID
  public var title: String
  public var message: String?
  public var buttons: [Button]

  public struct Button: JSONCodable {
    public enum Role: String, Codable, Sendable { case cancel, destructive }

    public var label: String
    public var role: Role?
    /// nil only takes the alert away.
    public var action: Action?

    public init(_ label: String, role: Role? = nil, action: Action? = nil) {
      self.label = label
      self.role = role
      self.action = action
    }
  }

  /// - Parameters:
  ///   - title: the question.
  ///   - message: more about it.
  ///   - buttons: the answers; without any, whoever shows it has one that closes it.
  ///   - id: drawn from the order when it is made in a reducer, else the same for all.
  public init(
    _ title: String, message: String? = nil, buttons: [Button] = [], id: UUID? = nil
  ) {
    self.id = id ?? AlertState.drawnID
    self.title = title
    self.message = message
    self.buttons = buttons
  }

  private static var drawnID: UUID {
    if TransitionInputs.current != nil { return UUIDGenerator()() }
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  public var isEphemeral: Bool { true }
}

extension AlertState {
  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"id\":")
    id.encode(to: &writer)
    writer.raw(",\"title\":")
    title.encode(to: &writer)
    writer.raw(",\"message\":")
    message.encode(to: &writer)
    writer.raw(",\"buttons\":")
    buttons.encode(to: &writer)
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init("", id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    try reader.beginObject()
    while try reader.nextMember() {
      switch try reader.keyText() {
      case "id": id = try UUID(from: &reader)
      case "title": title = try reader.readString()
      case "message": message = try String?(from: &reader)
      case "buttons": buttons = try [Button](from: &reader)
      default: try reader.skipValue()
      }
    }
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<alert:")
    shape.append(Action.self)
    shape.append(">")
  }
}

extension AlertState.Button {
  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"label\":")
    label.encode(to: &writer)
    writer.raw(",\"role\":")
    role.map(\.rawValue).encode(to: &writer)
    writer.raw(",\"action\":")
    action.encode(to: &writer)
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init("")
    try reader.beginObject()
    while try reader.nextMember() {
      switch try reader.keyText() {
      case "label": label = try reader.readString()
      case "role":
        let text = try String?(from: &reader)
        role = text.flatMap(Role.init)
        if text != nil, role == nil { throw reader.error("Expected cancel or destructive") }
      case "action": action = try Action?(from: &reader)
      default: try reader.skipValue()
      }
    }
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<button:")
    shape.append(Action.self)
    shape.append(">")
  }
}

extension AlertState: Encodable where Action: Encodable {}
extension AlertState: Decodable where Action: Decodable {}
extension AlertState.Button: Encodable where Action: Encodable {}
extension AlertState.Button: Decodable where Action: Decodable {}
