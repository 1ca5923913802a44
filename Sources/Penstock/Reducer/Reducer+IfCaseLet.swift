extension Reducer where State: CasePathable {
  /// Runs a child feature while an enum state is of one case.
  public func ifCaseLet<ChildState, ChildAction>(
    _ state: CaseKeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child:
      @escaping @Sendable () -> ComposedReducer<
        ChildState, ChildAction
      >
  ) -> ComposedReducer<State, Action> {
    requireCanonicalID(of: ChildState.self)
    return mounting(case: state, action, child, identity: { _ in "" })
  }

  /// The child's identity is its id.
  public func ifCaseLet<ChildState: Identifiable, ChildAction>(
    _ state: CaseKeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child:
      @escaping @Sendable () -> ComposedReducer<
        ChildState, ChildAction
      >
  ) -> ComposedReducer<State, Action> where ChildState.ID: CanonicalID {
    mounting(case: state, action, child, identity: { $0.id.canonicalText })
  }

  private func mounting<ChildState, ChildAction>(
    case state: CaseKeyPath<State, ChildState>, _ action: CaseKeyPath<Action, ChildAction>,
    _ child: @escaping @Sendable () -> ComposedReducer<ChildState, ChildAction>,
    identity: @escaping @Sendable (ChildState) -> String
  ) -> ComposedReducer<State, Action> {
    let path = State.allCasePaths[keyPath: state]
    return mounting(
      SingleMount(
        kind: .enumCase, access: CaseAccess(path: path), members: path.names,
        action: Action.allCasePaths[keyPath: action], child: ChildLevel(child), identity: identity))
  }
}
