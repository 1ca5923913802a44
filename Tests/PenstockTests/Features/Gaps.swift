import Penstock

/// A body that forgot the reducers of its children and of its bindings.
@Reducer
struct Gaps {
  @ObservableState
  struct State {
    var child = Counter.State()
    var other = Counter.State()
    var name = ""
    var seen = 0
  }

  /// Another name for a child's action.
  typealias Renamed = Counter.Action

  enum Action {
    case child(Counter.Action)
    case other(Renamed)
    case sheet(PresentationAction<Counter.Action>)
    case binding(BindingAction<Gaps.State>)
    case tap
  }

  var isHandled = false

  var body: some ReducerOf<Self> {
    if isHandled {
      BindingReducer(action: \.binding)
      Scope(state: \.child, action: \.child) { Counter() }
      Scope(state: \.other, action: \.other) { Counter() }
    }
    Reduce { state, action in
      state.seen += 1
      return .none
    }
  }
}
