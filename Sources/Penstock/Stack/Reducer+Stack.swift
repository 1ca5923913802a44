extension Reducer {
  /// Runs a feature for each element of a path.
  ///
  /// An element that returns `.dismiss` is taken away with all above it.
  public func forEach<ElementState, ElementAction>(
    _ state: any WritableKeyPath<State, StackState<ElementState>> & Sendable,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> destination:
      @escaping @Sendable () -> ComposedReducer<
        ElementState, ElementAction
      >
  ) -> ComposedReducer<State, Action> {
    stacking(state, Action.allCasePaths[keyPath: action], destination)
  }

  /// Runs whichever feature of an enum of features each element of a path is.
  public func forEach<ElementState: CaseReducerState, ElementAction>(
    _ state: any WritableKeyPath<State, StackState<ElementState>> & Sendable,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> ComposedReducer<State, Action>
  where ElementState.StateReducer.Action == ElementAction {
    stacking(state, Action.allCasePaths[keyPath: action], { ElementState.StateReducer.body })
  }

  private func stacking<ElementState, ElementAction>(
    _ state: any WritableKeyPath<State, StackState<ElementState>> & Sendable,
    _ path: CasePath<Action, StackAction<ElementState, ElementAction>>,
    _ child: @escaping @Sendable () -> ComposedReducer<ElementState, ElementAction>
  ) -> ComposedReducer<State, Action> {
    let elements = CasePath<Action, IdentifiedAction<StackElementID, ElementAction>>(
      names: path.names,
      embed: { action in
        switch action {
        case .element(let id, let action): path.embed(.element(id: id, action: action))
        }
      },
      extract: { action in
        guard case .element(let id, let action)? = path.extract(from: action) else { return nil }
        return .element(id: id, action: action)
      })
    var result = composed
    result.level.mounts.append(
      CollectionMount(
        keyPath: state, member: fieldName(of: state), action: elements, child: ChildLevel(child),
        dismiss: { path.embed(.popFrom(id: $0)) }))
    result.level.logic.append(pushing(state, path))
    result.level.logic.append(popping(state, path))
    return result
  }

  /// Structure in (R8): the parent's logic sees the new element.
  private func pushing<ElementState, ElementAction>(
    _ state: any WritableKeyPath<State, StackState<ElementState>> & Sendable,
    _ path: CasePath<Action, StackAction<ElementState, ElementAction>>
  ) -> Logic<State, Action> {
    Logic(observed: [], phase: .structureIn) { parent, action in
      guard case .push(let id, let element)? = path.extract(from: action) else { return .none }
      let next = parent[keyPath: state].nextID
      if id < next {
        return Effect([.diagnostic(StackText.used(id, path.names[0], next: next))])
      }
      parent[keyPath: state].push(element, id: id)
      return id == next
        ? .none : Effect([.diagnostic(StackText.beyond(id, path.names[0], next: next))])
    }
  }

  private func popping<ElementState, ElementAction>(
    _ state: any WritableKeyPath<State, StackState<ElementState>> & Sendable,
    _ path: CasePath<Action, StackAction<ElementState, ElementAction>>
  ) -> Logic<State, Action> {
    Logic(observed: [], phase: .structureOut) { parent, action in
      guard case .popFrom(let id)? = path.extract(from: action) else { return .none }
      if !parent[keyPath: state].ids.contains(id) {
        return Effect([.diagnostic(StackText.missing(id, path.names[0]))])
      }
      parent[keyPath: state].pop(from: id)
      return .none
    }
  }
}

private enum StackText {
  static func used(_ id: StackElementID, _ name: String, next: StackElementID) -> String {
    """
    .push of “\(name)” came with the id \(id), which was given to an element before. Nothing was \
    pushed. Ids are not used twice: the next one is \(next), the stack's nextID.
    """
  }

  static func beyond(_ id: StackElementID, _ name: String, next: StackElementID) -> String {
    """
    .push of “\(name)” came with the id \(id), and the next one is \(next). The element was pushed, \
    and the ids between are left out: push with the stack's nextID.
    """
  }

  static func missing(_ id: StackElementID, _ name: String) -> String {
    """
    .popFrom of “\(name)” came with the id \(id), and no element has it. The state stays as it was. \
    Either it was popped twice, or its parent took it away before the action came, which is harmless.
    """
  }
}
