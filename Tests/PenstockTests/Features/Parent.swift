import Penstock

/// Two fixed counters, one that comes and goes, and a collection.
@Reducer
struct Parent {
  struct State {
    var first = Counter.State()
    var second = Counter.State()
    var guest: Counter.State?
    var rows: IdentifiedArrayOf<Counter.State> = []
    var seen: [String] = []
  }

  enum Action {
    case first(Counter.Action)
    case second(Counter.Action)
    case guest(Counter.Action)
    case rows(IdentifiedAction<Int, Counter.Action>)
    case present(Int), dismiss, addRow(Int), removeRow(Int), stopAll, startAndStop
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .first: state.seen.append("first \(state.first.count)")
      case .second: state.seen.append("second \(state.second.count)")
      case .guest: state.seen.append("guest \(state.guest?.count.description ?? "nil")")
      case .rows(.element(let id, _)): state.seen.append("row \(id)")
      case .present(let id): state.guest = Counter.State(id: id)
      case .dismiss: state.guest = nil
      case .addRow(let id): state.rows.append(Counter.State(id: id))
      case .removeRow(let id): state.rows.remove(id: id)
      case .stopAll: return .cancel(id: Counter.CancelID.timer)
      case .startAndStop:
        return .merge(
          .run(Never_(), to: \.first.quiet).cancellable(id: "x"), .cancel(id: "x"))
      }
      return .none
    }
    .ifLet(\.guest, action: \.guest) { Counter() }
    .forEach(\.rows, action: \.rows) { Counter() }
    Scope(state: \.first, action: \.first) { Counter() }
    Scope(state: \.second, action: \.second) { Counter() }
  }
}
