import Penstock

/// A small feature: what is measured is what the library adds to it.
@Reducer
struct Step {
  struct State {
    var count = 0
    var limit = 1_000_000_000
  }

  enum Action { case add(Int), reset }

  /// The author's code alone; the bare closure is the same.
  static let reduce: @Sendable (inout State, Action) -> Effect<Action> = { state, action in
    switch action {
    case .add(let number): state.count = min(state.count + number, state.limit)
    case .reset: state.count = 0
    }
    return .none
  }

  var body: some ReducerOf<Self> { Reduce(Step.reduce) }
}
