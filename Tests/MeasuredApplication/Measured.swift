import Penstock
import PenstockRuntime

/// The application of the benchmarks that need more than a counter: a parent that sees each action of
/// its child and writes to it in some, and a list of rows that nobody else looks at.
@Reducer
struct Measured {
  @ObservableState
  struct State {
    var child = Child.State()
    var rows = Rows.State()
    var seen = 0
  }

  enum Action {
    case child(Child.Action)
    case rows(Rows.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Child() }
    Scope(state: \.rows, action: \.rows) { Rows() }
    Reduce(observing: \.child) { state, action in
      guard case .child(.step(let interval)) = action else { return .none }
      state.seen += 1
      if interval > 0, state.seen.isMultiple(of: interval) { state.child.corrections += 1 }
      return .none
    }
  }
}

/// A state of a kilobyte of which an action changes one field.
@Reducer
struct Child {
  @ObservableState
  struct State {
    var steps = 0
    var corrections = 0
    var text = String(repeating: "0123456789", count: 100)
  }

  enum Action {
    /// The parent writes to the child at each so manieth step; never at 0.
    case step(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.steps += 1
      return .none
    }
  }
}

/// Rows of 100 bytes, of which an action changes one.
@Reducer
struct Rows {
  @ObservableState
  struct State {
    var rows: IdentifiedArrayOf<Row> = []
    var turn = 0
  }

  enum Action {
    /// Appends rows until there are so many.
    case fill(Int)
    /// Changes one row, another one each time.
    case touch
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .fill(let count):
        for id in state.rows.count..<max(count, state.rows.count) {
          state.rows.append(Row(id: id))
        }
      case .touch:
        state.turn += 1
        // A prime step: neighbours in time are none in the list.
        state.rows.update(at: state.turn * 7_919 % state.rows.count) { $0.changes += 1 }
      }
      return .none
    }
  }
}

@JSONCodable
struct Row: Identifiable {
  var id: Int
  var changes = 0
  var text = String(repeating: "abcdefghi ", count: 7)
}

struct MeasuredApplication: PenstockApp {
  static let name = "measured"
  static let operations: [any WorkerOperation.Type] = []
  var root: Measured { Measured() }
  var initialState: Measured.State { Measured.State() }
}

@main enum MeasuredMain {
  static func main() { ApplicationMain.run(MeasuredApplication()) }
}
