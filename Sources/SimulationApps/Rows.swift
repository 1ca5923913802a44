import Penstock

/// A collection of leaves with moves, insertions and removals.
@Reducer
struct Rows {
  @ObservableState
  struct State {
    var rows: IdentifiedArrayOf<Guest.State> = []
    var sum = 0
  }

  enum Action {
    case rows(IdentifiedAction<Int, Guest.Action>)
    case insert(Int)
    case remove(Int)
    case reverse
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .insert(let id):
        if state.rows[id: id] == nil { state.rows.append(Guest.State(id: id)) }
        return .none
      case .remove(let id):
        state.rows.remove(id: id)
        return .none
      case .reverse:
        state.rows = IdentifiedArrayOf(uniqueElements: state.rows.reversed())
        return .none
      case .rows(.element(_, .leaf(.add(let number)))):
        state.sum += number
        return .none
      case .rows(.element(let id, .leave)):
        state.rows.remove(id: id)
        return .none
      case .rows:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { Guest() }
  }
}
