extension ComposedReducer {
  /// Puts one function around the own logic, which it runs by its last parameter.
  /// - Parameter observed: what that function is called for besides.
  func wrapping(
    observing besides: [Logic<State, Action>.Observed] = [],
    _ wrap:
      @escaping @Sendable (
        _ state: inout State, _ action: Action, _ run: (inout State, Action) -> Effect<Action>
      ) -> Effect<Action>
  ) -> ComposedReducer<State, Action> {
    let parts = level.logic.filter { $0.phase == .own }
    let observed =
      parts.contains { $0.observed == nil }
      ? nil : besides + parts.flatMap { $0.observed ?? [] }
    var result = self
    result.level.logic.removeAll { $0.phase == .own }
    result.level.logic.append(
      Logic(observed: observed, reads: parts.flatMap(\.reads)) { state, action, isOwn in
        wrap(&state, action) { state, action in
          .merge(
            parts.filter { $0.isCalled(for: action, isOwn: isOwn) }
              .map { $0.reduce(&state, action, isOwn) })
        }
      })
    return result
  }
}

extension Reducer {
  var composed: ComposedReducer<State, Action> {
    ReducerBuilder<State, Action>.buildExpression(self)
  }
}
