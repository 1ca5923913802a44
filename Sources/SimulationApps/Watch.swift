import Penstock

/// Reads what two features share that are neither above nor below it.
@Reducer
struct Watch {
  @ObservableState
  struct State {
    var count = 0
    var sum = 0
    var changes = 0
    var leaf = Leaf.State()
    /// Nothing here observes it, so what changes in it comes to the mirror late, and merged.
    var list = Rows.State()
  }

  enum Action {
    case look
    case seen(Int)
    case leaf(Leaf.Action)
    case list(Rows.Action)
  }

  static let count = SharedValue("/a/b", \Leaf.State.count)
  static let sum = SharedValue("/list", \Rows.State.sum)

  var body: some ReducerOf<Self> {
    Scope(state: \.leaf, action: \.leaf) { Leaf() }
    Scope(state: \.list, action: \.list) { Rows() }
    Reduce(observing: \.leaf.add, reading: Self.count, Self.sum) { state, action, count, sum in
      switch action {
      case .look:
        if state.count != count || state.sum != sum { state.changes += 1 }
        state.count = count
        state.sum = sum
        // What it sends, and whether it sends, depends on what it read.
        return count % 3 == 0 ? .send(.seen(sum)) : .none
      case .seen(let sum):
        // Other records may have come between.
        state.changes += count + sum
        return count % 2 == 0 ? .send(.leaf(.load(abs(sum) % 9))) : .none
      case .leaf(.add):
        // A write to the child, because of what a third feature has.
        state.leaf.drawn = sum
        return .none
      case .leaf, .list:
        return .none
      }
    }
  }
}
