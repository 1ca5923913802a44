import Penstock

/// A feature with a child that is always there and one that comes and goes.
@Reducer
struct Branch {
  @ObservableState
  struct State {
    var seen = 0
    var b = Leaf.State()
    var c: Guest.State?
  }

  enum Action {
    case b(Leaf.Action)
    case c(Guest.Action)
    case present(Int)
    case dismiss
    case nudge
    /// Ends what its children have loaded or stream.
    case hush
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.b, action: \.b) { Leaf() }
    Reduce { state, action in
      switch action {
      case .b(.add(let number)):
        state.seen += number
        // A write to the child, now and then.
        if number % 7 == 0 { state.b.count = 0 }
        return state.c == nil ? .none : .send(.c(.leaf(.add(number))))
      case .b(.tick):
        state.seen += 1
        return .none
      case .present(let id):
        state.c = Guest.State(id: id)
        return .none
      case .c(.leave), .dismiss:
        state.c = nil
        return .none
      case .nudge:
        return .merge(.send(.b(.add(1))), .send(.c(.leaf(.add(2)))))
      case .hush:
        return .cancel(id: Leaf.CancelID.load)
      case .b, .c:
        return .none
      }
    }
    .ifLet(\.c, action: \.c) { Guest() }
  }
}

/// A leaf with an identity, so that it can be replaced by another.
@Reducer
struct Guest {
  @ObservableState
  struct State: Identifiable {
    var id: Int
    var leaf = Leaf.State()
  }

  enum Action {
    case leaf(Leaf.Action)
    case rename(Int)
    case leave
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.leaf, action: \.leaf) { Leaf() }
    Reduce { state, action in
      if case .rename(let id) = action { state.id = id }
      return .none
    }
  }
}
