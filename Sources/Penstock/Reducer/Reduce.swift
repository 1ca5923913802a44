public import PenstockCore

/// A level's own logic, as a function.
public struct Reduce<State: JSONCodable, Action: JSONCodable & CasePathable>: Reducer {
  private let logic: Logic<State, Action>

  @usableFromInline init(logic: Logic<State, Action>) { self.logic = logic }

  /// Logic for the feature's own actions and all actions of its children.
  @inlinable
  public init(
    _ reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.init(
      logic: Logic(observed: nil, reducing: reduce) {
        state, payload, patch throws(JSONError) in
        try Logic.run(reduce, &state, payload, &patch)
      })
  }

  /// Logic for the feature's own actions alone.
  init(
    own reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) { logic = Logic(observed: [], reduce: reduce) }

  /// Logic for the feature's own actions and, of its children's, those of the named cases (R15).
  ///
  /// A child whose actions nobody above observes need not wait for its parents.
  @inlinable
  public init<each Value>(
    observing cases: repeat CaseKeyPath<Action, each Value>,
    reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.init(
      logic: Logic(observed: Self.observed(repeat each cases), reducing: reduce) {
        state, payload, patch throws(JSONError) in
        try Logic.run(reduce, &state, payload, &patch)
      })
  }

  @usableFromInline
  static func observed<each Value>(
    _ cases: repeat CaseKeyPath<Action, each Value>
  ) -> [Logic<State, Action>.Observed] {
    var observed: [Logic<State, Action>.Observed] = []
    for casePath in repeat Action.allCasePaths[keyPath: each cases] {
      observed.append(.init(names: casePath.names) { casePath.extract(from: $0) != nil })
    }
    return observed
  }

  public typealias Body = Never

  public func compile(into level: inout LevelBuilder<State, Action>) { level.logic.append(logic) }
}
