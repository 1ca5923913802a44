extension Reducer {
  /// Runs a feature while it is presented: while an optional field has a state for it.
  ///
  /// The feature goes when its parent sets the field to nil, when the action `.dismiss` comes, or when
  /// it returns the effect `.dismiss`; its effects end with it. What has another id, or is of
  /// another case, is another feature.
  public func ifLet<ChildState, ChildAction>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination:
      @escaping @Sendable () -> ComposedReducer<
        ChildState, ChildAction
      >
  ) -> ComposedReducer<State, Action> {
    presenting(OptionalAccess(keyPath: state), fieldName(of: state), action, destination)
  }

  /// Runs a feature while a field that is marked with `@Presents` has a state for it.
  public func ifLet<ChildState, ChildAction>(
    _ state: any WritableKeyPath<State, Presented<ChildState>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> destination:
      @escaping @Sendable () -> ComposedReducer<
        ChildState, ChildAction
      >
  ) -> ComposedReducer<State, Action> {
    presenting(PresentedAccess(keyPath: state), fieldName(of: state), action, destination)
  }

  /// Runs whichever feature of an enum of destinations is presented.
  public func ifLet<ChildState: CaseReducerState, ChildAction>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> ComposedReducer<State, Action> where ChildState.StateReducer.Action == ChildAction {
    presenting(
      OptionalAccess(keyPath: state), fieldName(of: state), action, { ChildState.StateReducer.body }
    )
  }

  /// Runs whichever feature of an enum of destinations is presented.
  public func ifLet<ChildState: CaseReducerState, ChildAction>(
    _ state: any WritableKeyPath<State, Presented<ChildState>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> ComposedReducer<State, Action> where ChildState.StateReducer.Action == ChildAction {
    presenting(
      PresentedAccess(keyPath: state), fieldName(of: state), action,
      { ChildState.StateReducer.body })
  }

  /// Shows an alert, which goes with its first action.
  public func ifLet<ChildAction>(
    _ state: any WritableKeyPath<State, AlertState<ChildAction>?> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> ComposedReducer<State, Action> where ChildAction: CasePathable {
    presenting(
      OptionalAccess(keyPath: state), fieldName(of: state), action, { ComposedReducer() })
  }

  /// Shows an alert, which goes with its first action.
  public func ifLet<ChildAction>(
    _ state: any WritableKeyPath<State, Presented<AlertState<ChildAction>>> & Sendable,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> ComposedReducer<State, Action> where ChildAction: CasePathable {
    presenting(
      PresentedAccess(keyPath: state), fieldName(of: state), action, { ComposedReducer() })
  }

  private func presenting<Access: RemovableAccess, ChildAction>(
    _ access: Access, _ field: String?,
    _ action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    _ child: @escaping @Sendable () -> ComposedReducer<Access.Child, ChildAction>
  ) -> ComposedReducer<State, Action> where Access.Parent == State {
    let path = Action.allCasePaths[keyPath: action]
    var result = composed
    if Access.Child.self is any EphemeralState.Type {
      result = result.clearing(access, after: path)
    }
    result.level.mounts.append(
      SingleMount(
        kind: .optional, access: access, members: field.map { [$0] }, action: path.presented,
        child: ChildLevel(child), identity: presentedIdentity(of: Access.Child.self),
        dismiss: path.embed(.dismiss)))
    result.level.logic.append(dismissal(access, path))
    return result
  }

  /// Structure out (R8): everybody has seen the child's last state.
  private func dismissal<Access: RemovableAccess, ChildAction>(
    _ access: Access, _ path: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Logic<State, Action> where Access.Parent == State {
    Logic(observed: [], phase: .structureOut) { state, action in
      guard path.extract(from: action) == .dismiss else { return .none }
      if access.read(state) == nil {
        return Effect([.diagnostic(nothingPresented(path.names[0]))])
      }
      access.remove(&state)
      return .none
    }
  }
}

extension ComposedReducer {
  /// Takes an ephemeral child away after its own action, unless the logic has set another one.
  fileprivate func clearing<Access: RemovableAccess, ChildAction>(
    _ access: Access, after path: CasePath<Action, PresentationAction<ChildAction>>
  ) -> ComposedReducer where Access.Parent == State {
    let observed = Logic<State, Action>.Observed(names: path.names) {
      path.extract(from: $0) != nil
    }
    return wrapping(observing: [observed]) { state, action, run in
      guard case .presented(let own)? = path.extract(from: action),
        let before = access.read(state), isEphemeral(before, endedBy: own)
      else { return run(&state, action) }
      let effect = run(&state, action)
      if access.read(state) == before { access.remove(&state) }
      return effect
    }
  }
}

/// Of an enum of features only an action of its own case ends what is ephemeral.
private func isEphemeral<Child: JSONCodable>(
  _ state: Child, endedBy action: some JSONCodable
) -> Bool {
  guard (state as? any EphemeralState)?.isEphemeral == true else { return false }
  if !(state is any CaseReducerState) { return true }
  let (state, action) = (JSONWriter.bytes(of: state), JSONWriter.bytes(of: action))
  return JSONScan.firstKey(of: state)?.key == JSONScan.firstKey(of: action)?.key
}

private func nothingPresented(_ name: String) -> String {
  """
  .dismiss came for “\(name)” while nothing is presented there. The state stays as it was. Either it \
  was dismissed twice, or its parent took it away before the action came, which is harmless.
  """
}

/// The id's canonical text; the same for all when there is none, and then a case is the identity.
private func presentedIdentity<State>(of type: State.Type) -> @Sendable (State) -> String {
  func isCanonical<Child: Identifiable>(_ type: Child.Type) -> Bool {
    Child.ID.self is any CanonicalID.Type
  }
  guard let type = type as? any Identifiable.Type else { return { _ in "" } }
  precondition(
    isCanonical(type), "The id of \(type) must conform to CanonicalID, as String, Int and UUID do")
  return { state in (state as? any Identifiable)?.canonicalIDText ?? "" }
}

extension Identifiable {
  fileprivate var canonicalIDText: String? { (id as? any CanonicalID)?.canonicalText }
}
