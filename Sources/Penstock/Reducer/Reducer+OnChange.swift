extension Reducer {
  /// Runs a further reducer after each transition in which this one changed a value.
  ///
  /// What counts is what the feature's own logic changes. A child's own changes are made before it,
  /// possibly in another process: to follow them, observe the child's actions.
  /// - Parameters:
  ///   - value: what is compared.
  ///   - reducer: is given the value before and after; it has logic, and no children.
  public func onChange<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (State) -> Value,
    @ReducerBuilder<State, Action> _ reducer:
      @escaping @Sendable (
        _ old: Value, _ new: Value
      ) -> ComposedReducer<State, Action>
  ) -> ComposedReducer<State, Action> {
    composed.wrapping { state, action, run in
      let old = value(state)
      let effect = run(&state, action)
      let new = value(state)
      if old == new { return effect }
      let level = reducer(old, new).level
      precondition(level.mounts.isEmpty, "onChange runs logic; children stand in the body")
      precondition(
        level.logic.allSatisfy(\.reads.isEmpty),
        "onChange's reducer is made at each change: what it reads has to be declared in the body")
      return .merge([effect] + level.logic.map { $0.reduce(&state, action, true) })
    }
  }
}
