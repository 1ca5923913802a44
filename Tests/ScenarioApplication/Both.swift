import Penstock

/// Two reducers of the same feature, combined.
@Reducer
struct Both {
  struct State {
    var count = 0
    var fired: [Int] = []
  }

  enum Action { case start, fired(Int) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        state.count += 1
        return .after(.seconds(1), .fired(1))
      case .fired(let number):
        state.fired.append(number)
        return .none
      }
    }
    Reduce { state, action in
      guard case .start = action else { return .none }
      state.count += 1
      return .after(.seconds(2), .fired(2))
    }
  }
}
