import Penstock

/// An enum of states, each a feature.
@Reducer
struct Mode {
  @ObservableState
  enum State {
    case idle(Leaf.State)
    case busy(Guest.State)
  }

  enum Action {
    case idle(Leaf.Action)
    case busy(Guest.Action)
    case work(Int)
    case rest
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .work(let id): state = .busy(Guest.State(id: id))
      case .rest, .busy(.leave): state = .idle(Leaf.State())
      case .idle, .busy: break
      }
      return .none
    }
    .ifCaseLet(\.idle, action: \.idle) { Leaf() }
    .ifCaseLet(\.busy, action: \.busy) { Guest() }
  }
}
