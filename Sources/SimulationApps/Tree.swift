import Penstock

/// The root: observes much, and writes to its children and grandchildren now and then.
@Reducer
struct Tree {
  @ObservableState
  struct State {
    var total = 0
    var a = Branch.State()
    var list = Rows.State()
    var mode = Mode.State.idle(Leaf.State())
    var watch = Watch.State()
  }

  enum Action {
    case a(Branch.Action)
    case list(Rows.Action)
    case mode(Mode.Action)
    case watch(Watch.Action)
    case reset
    case clear
    case fan(Int)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.a, action: \.a) { Branch() }
    Scope(state: \.list, action: \.list) { Rows() }
    Scope(state: \.mode, action: \.mode) { Mode() }
    Scope(state: \.watch, action: \.watch) { Watch() }
    Reduce { state, action in
      switch action {
      case .a(.b(.add(let number))):
        state.total += number
        if state.total % 11 == 0 { state.a.b.text = "written at \(state.total)" }
        return .none
      case .a(.c(.leaf(.add))):
        state.total += 1
        if state.total % 13 == 0 { state.a.c = nil }
        return .none
      case .a(.c(.leaf(.loaded))):
        state.a.c = Guest.State(id: state.total)
        return .none
      case .list(.rows(.element(_, .leaf(.tick)))):
        state.total += 1
        return .none
      case .mode(.idle(.add(let number))):
        if number % 5 == 0 { state.mode = .busy(Guest.State(id: number)) }
        return .none
      case .reset:
        state.total = state.a.b.count + state.list.sum
        state.a = Branch.State()
        return .none
      case .clear:
        state.list.rows = []
        state.a.c = nil
        return .none
      case .fan(let number):
        return .merge(
          .send(.a(.b(.add(number)))), .send(.list(.insert(number))), .send(.mode(.work(number))),
          .send(.a(.nudge)))
      case .a, .list, .mode, .watch:
        return .none
      }
    }
  }
}

/// The application that the simulator runs by default.
struct TreeApp: PenstockApp {
  static let name = "tree"
  static let operations: [any WorkerOperation.Type] = [Lookup.self, Numbers.self]
  var root: Tree { Tree() }
  var initialState: Tree.State { Tree.State() }
}
