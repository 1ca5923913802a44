package import Penstock

/// `/a`: a fixed child, a guest, and logic that reads and writes both.
@Reducer
package struct Branch {
  package struct State {
    var total = 0
    var lastGuest = 0
    var b = Leaf.State()
    var c: Guest.State?
  }

  package enum Action {
    case present, dismiss, replace, refresh, poke, silence
    case workForChild(Int)
    case b(Leaf.Action)
    case c(Guest.Action)
  }

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .present:
        if state.c == nil {
          state.lastGuest += 1
          state.c = Guest.State(id: state.lastGuest)
        }
        return .send(.c(.startTimer))
      case .dismiss:
        state.c = nil
        return .none
      case .replace:
        state.lastGuest += 1
        // The detail is taken over: another mount all the same, since it stands below one.
        state.c = Guest.State(
          id: state.lastGuest, value: state.c?.value ?? 0, detail: state.c?.detail)
        return .none
      case .refresh:
        // The same identity with a fresh state: effects go on.
        state.c = state.c.map { Guest.State(id: $0.id) }
        return .none
      case .poke: return .merge(.send(.b(.increment)), .send(.c(.bump)), .send(.b(.chain(2))))
      case .silence:
        return .merge(.cancel(id: Leaf.CancelID.timer), .cancel(id: Leaf.CancelID.work))
      case .workForChild(let number):
        return .run(Work(number: number), to: \.b.worked).cancellable(id: Leaf.CancelID.work)
      case .b(.delegate(.reached(let count))):
        state.total += count
        if count % 2 == 0 { state.b.count = 1 }
        return .none
      case .c(.close):
        state.total += state.c?.value ?? 0
        state.c = nil
        return .none
      case .b, .c: return .none
      }
    }
    Scope(state: \.b, action: \.b) { Leaf() }
      .ifLet(\.c, action: \.c) { Guest() }
  }
}
