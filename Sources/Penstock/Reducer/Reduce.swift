/// A level's own logic, as a function.
public struct Reduce<State: JSONCodable, Action: JSONCodable & CasePathable>: Reducer {
  private let logic: Logic<State, Action>

  /// Logic for the feature's own actions and all actions of its children.
  public init(
    _ reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) { logic = Logic(observed: nil, reduce: reduce) }

  /// Logic for the feature's own actions alone.
  init(
    own reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) { logic = Logic(observed: [], reduce: reduce) }

  /// Logic for the feature's own actions and, of its children's, those of the named cases (R15).
  ///
  /// A child whose actions nobody above observes need not wait for its parents.
  public init<each Value>(
    observing cases: repeat CaseKeyPath<Action, each Value>,
    reduce: @escaping @Sendable (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    var observed: [Logic<State, Action>.Observed] = []
    for casePath in repeat Action.allCasePaths[keyPath: each cases] {
      observed.append(.init(names: casePath.names) { casePath.extract(from: $0) != nil })
    }
    logic = Logic(observed: observed, reduce: reduce)
  }

  public typealias Body = Never

  public func compile(into level: inout LevelBuilder<State, Action>) { level.logic.append(logic) }
}

/// One function of a level's own logic and the child actions that it is called for.
package struct Logic<State: JSONCodable, Action: JSONCodable & CasePathable>: Sendable {
  package struct Observed: Sendable {
    let names: [String]
    let matches: @Sendable (Action) -> Bool

    init(names: [String], matches: @escaping @Sendable (Action) -> Bool) {
      self.names = names
      self.matches = matches
    }
  }

  /// When it runs within a transition of its level (R8).
  package enum Phase: CaseIterable, Sendable { case structureIn, own, structureOut }

  /// nil is all of them.
  let observed: [Observed]?
  let phase: Phase
  let reduce: @Sendable (inout State, Action) -> Effect<Action>

  init(
    observed: [Observed]?, phase: Phase = .own,
    reduce: @escaping @Sendable (inout State, Action) -> Effect<Action>
  ) {
    self.observed = observed
    self.phase = phase
    self.reduce = reduce
  }

  func isCalled(for action: Action, isOwn: Bool) -> Bool {
    guard !isOwn, let observed else { return true }
    return observed.contains { $0.matches(action) }
  }
}
