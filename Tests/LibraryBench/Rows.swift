import Penstock

/// Rows of which one is changed.
@Reducer
struct Rows {
  struct State { var rows: IdentifiedArrayOf<Row.State> = [] }
  enum Action { case rows(IdentifiedAction<Int, Row.Action>) }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.rows, action: \.rows) { Row() }
  }

  static func state(_ count: Int) -> State {
    let rows = (0..<count).map { Row.State(id: $0, text: "Row \($0)") }
    return State(rows: IdentifiedArray(uniqueElements: rows))
  }
}

@Reducer
struct Row {
  struct State: Identifiable {
    var id: Int
    var text = ""
    var isDone = false
  }
  enum Action { case toggle }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.isDone.toggle()
      return .none
    }
  }
}
