/// The actions of a path of features: those of its elements, and those that change the path.
public enum StackAction<State: JSONCodable, Action: JSONCodable>: JSONCodable {
  case element(id: StackElementID, action: Action)
  /// Takes the element and all above it away, once its parent has seen this.
  case popFrom(id: StackElementID)
  /// Puts an element on top, before its parent sees this. The id is `nextID` of the stack.
  case push(id: StackElementID, state: State)

  public func encode(to writer: inout JSONWriter) {
    switch self {
    case .element(let id, let action):
      writer.raw("{\"element\":{\"id\":")
      id.encode(to: &writer)
      writer.raw(",\"action\":")
      action.encode(to: &writer)
    case .popFrom(let id):
      writer.raw("{\"popFrom\":{\"id\":")
      id.encode(to: &writer)
    case .push(let id, let state):
      writer.raw("{\"push\":{\"id\":")
      id.encode(to: &writer)
      writer.raw(",\"state\":")
      state.encode(to: &writer)
    }
    writer.raw("}}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    guard try reader.beginCase() else { throw reader.error("Expected an action of a stack") }
    let name = try reader.keyText()
    var id: StackElementID?
    var action: Action?
    var state: State?
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("id") {
        id = try StackElementID(from: &reader)
      } else if name == "element", reader.isKey("action") {
        action = try Action(from: &reader)
      } else if name == "push", reader.isKey("state") {
        state = try State(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    switch (name, id, action, state) {
    case ("element", let id?, let action?, _): self = .element(id: id, action: action)
    case ("popFrom", let id?, _, _): self = .popFrom(id: id)
    case ("push", let id?, _, let state?): self = .push(id: id, state: state)
    default: throw reader.error("Expected element, popFrom or push with its members")
    }
    try reader.endCase()
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<stack:")
    shape.append(State.self)
    shape.append(Action.self)
    shape.append(">")
  }
}

extension StackAction: CasePathable {
  public struct AllCasePaths: Sendable {
    public var element: CasePath<StackAction, (id: StackElementID, action: Action)> {
      CasePath(
        names: ["element"], embed: { .element(id: $0.id, action: $0.action) },
        extract: { if case .element(let id, let action) = $0 { (id, action) } else { nil } })
    }

    public var popFrom: CasePath<StackAction, StackElementID> {
      CasePath(
        names: ["popFrom", "id"], embed: { .popFrom(id: $0) },
        extract: { if case .popFrom(let id) = $0 { id } else { nil } })
    }

    public var push: CasePath<StackAction, (id: StackElementID, state: State)> {
      CasePath(
        names: ["push"], embed: { .push(id: $0.id, state: $0.state) },
        extract: { if case .push(let id, let state) = $0 { (id, state) } else { nil } })
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension StackAction: Encodable where State: Encodable, Action: Encodable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}

/// The actions of a path of one feature, usually an enum of features.
public typealias StackActionOf<R: CaseReducer> = StackAction<R.State, R.Action>
