/// Runs a child feature on a part of the state, for the actions of one case.
public struct Scope<State: JSONCodable, Action: JSONCodable & CasePathable>: Reducer {
  private let mount: any Mount<State, Action>

  /// A child whose state is a stored field. Over a computed one the child runs inside its parent in
  /// every placement (R12).
  public init<ChildState, ChildAction>(
    state: any WritableKeyPath<State, ChildState> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping @Sendable () -> ComposedReducer<ChildState, ChildAction>
  ) {
    mount = SingleMount(
      kind: .scope, access: FieldAccess(keyPath: state), members: fieldName(of: state).map { [$0] },
      action: Action.allCasePaths[keyPath: action], child: ChildLevel(child), identity: nil)
  }

  /// A child whose state is what one case of an enum state holds.
  public init<ChildState, ChildAction>(
    state: CaseKeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child:
      @escaping @Sendable () -> ComposedReducer<ChildState, ChildAction>
  ) where State: CasePathable {
    let level = EmptyReducer<State, Action>().ifCaseLet(state, action: action, then: child).level
    mount = level.mounts[0]
  }

  public typealias Body = Never

  public func compile(into level: inout LevelBuilder<State, Action>) { level.mounts.append(mount) }
}

/// The name of a stored field, from the table that `@ObservableState` wrote.
func fieldName<State>(of keyPath: PartialKeyPath<State>) -> String? {
  func name<Observable: ObservableState>(_ type: Observable.Type) -> String? {
    (keyPath as? PartialKeyPath<Observable>).flatMap(Observable.fieldName(of:))
  }
  return (State.self as? any ObservableState.Type).flatMap { name($0) }
}
