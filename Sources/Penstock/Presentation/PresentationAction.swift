/// The actions of a feature that is presented, and the one that takes it away.
public enum PresentationAction<Action: JSONCodable>: JSONCodable {
  /// The feature's state becomes nil once its parent has seen this.
  case dismiss
  case presented(Action)

  public func encode(to writer: inout JSONWriter) {
    switch self {
    case .dismiss: writer.raw("\"dismiss\"")
    case .presented(let action):
      writer.raw("{\"presented\":")
      action.encode(to: &writer)
      writer.raw("}")
    }
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    let hasValue = try reader.beginCase()
    if hasValue, reader.isKey("presented") {
      self = .presented(try Action(from: &reader))
      try reader.endCase()
    } else if !hasValue, reader.isKey("dismiss") {
      self = .dismiss
    } else {
      throw reader.error("Expected \"dismiss\" or {\"presented\":…}")
    }
  }

  public static func shape(into shape: inout JSONShape) {
    shape.append("<dismiss|presented:")
    shape.append(Action.self)
    shape.append(">")
  }
}

extension PresentationAction: CasePathable {
  public struct AllCasePaths: Sendable {
    public var dismiss: CasePath<PresentationAction, Void> {
      CasePath(
        names: ["dismiss"], embed: { _ in .dismiss }, extract: { $0 == .dismiss ? () : nil })
    }

    public var presented: CasePath<PresentationAction, Action> {
      CasePath(
        names: ["presented"], embed: { .presented($0) },
        extract: { if case .presented(let action) = $0 { action } else { nil } })
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}

/// The actions of a feature that is presented.
public typealias PresentationActionOf<R: Reducer> = PresentationAction<R.Action>
