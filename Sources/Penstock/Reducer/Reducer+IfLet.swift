extension Reducer {
  /// Runs a child feature while an optional field has a state for it.
  ///
  /// An action of the child while there is none reaches the parent's own logic only.
  public func ifLet<ChildState, ChildAction>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child:
      @escaping @Sendable () -> ComposedReducer<
        ChildState, ChildAction
      >
  ) -> ComposedReducer<State, Action> {
    requireCanonicalID(of: ChildState.self)
    return mounting(optional: state, action, child, identity: { _ in "" })
  }

  /// The child's identity is its id: one with another id is another child, whose predecessor's
  /// effects are cancelled.
  public func ifLet<ChildState: Identifiable, ChildAction>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child:
      @escaping @Sendable () -> ComposedReducer<
        ChildState, ChildAction
      >
  ) -> ComposedReducer<State, Action> where ChildState.ID: CanonicalID {
    mounting(optional: state, action, child, identity: { $0.id.canonicalText })
  }

  private func mounting<ChildState, ChildAction>(
    optional state: any WritableKeyPath<State, ChildState?> & Sendable,
    _ action: CaseKeyPath<Action, ChildAction>,
    _ child: @escaping @Sendable () -> ComposedReducer<ChildState, ChildAction>,
    identity: @escaping @Sendable (ChildState) -> String
  ) -> ComposedReducer<State, Action> {
    mounting(
      SingleMount(
        kind: .optional, access: OptionalAccess(keyPath: state),
        members: fieldName(of: state).map { [$0] },
        action: Action.allCasePaths[keyPath: action], child: ChildLevel(child), identity: identity))
  }

  func mounting(_ mount: some Mount<State, Action>) -> ComposedReducer<State, Action> {
    var composed = ComposedReducer<State, Action>()
    compile(into: &composed.level)
    composed.level.mounts.append(mount)
    return composed
  }
}

/// Stops when a state has an id that paths can't name, instead of ignoring the id.
func requireCanonicalID<State>(of type: State.Type) {
  precondition(
    !(type is any Identifiable.Type),
    "The id of \(type) must conform to CanonicalID, as String, Int and UUID do")
}
