/// An action of one element of a collection; the case that `forEach` takes apart.
public enum IdentifiedAction<ID: CanonicalID, Action: JSONCodable>: JSONCodable {
  case element(id: ID, action: Action)

  private var parts: (id: ID, action: Action) {
    switch self {
    case .element(let id, let action): (id, action)
    }
  }

  public func encode(to writer: inout JSONWriter) {
    let (id, action) = parts
    writer.raw("{\"element\":{\"id\":")
    id.encode(to: &writer)
    writer.raw(",\"action\":")
    action.encode(to: &writer)
    writer.raw("}}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    guard try reader.beginCase(), reader.isKey("element") else {
      throw reader.error("Expected {\"element\":…}")
    }
    var id: ID?
    var action: Action?
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("id") {
        id = try ID(from: &reader)
      } else if reader.isKey("action") {
        action = try Action(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    guard let id, let action else { throw reader.error("An element needs an id and an action") }
    self = .element(id: id, action: action)
    try reader.endCase()
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<element:")
    shape.append(ID.self)
    shape.append(Action.self)
    shape.append(">")
  }
}

extension IdentifiedAction: CasePathable {
  public struct AllCasePaths: Sendable {
    public var element: CasePath<IdentifiedAction, (id: ID, action: Action)> {
      CasePath(
        names: ["element"],
        embed: { .element(id: $0.id, action: $0.action) },
        extract: {
          $0.parts
        })
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}

/// The actions of a feature as elements of a collection of its states.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: CanonicalID
