public import Penstock

/// A list that is filtered and moved, and sorted a second after the last thing was done.
@Reducer
public struct Todos {
  @ObservableState
  public struct State {
    public var rows: IdentifiedArrayOf<Todo.State> = []
    public var filter = Filter.all
    public var nextID = 1

    public init() {}

    /// What is shown.
    public var filtered: [Todo.State] {
      switch filter {
      case .all: Array(rows)
      case .active: rows.filter { !$0.isDone }
      case .done: rows.filter(\.isDone)
      }
    }
  }

  public enum Action {
    case add(String)
    /// Adds so many at once.
    case fill(Int)
    case delete([Int])
    /// Puts a row before the place of another, or at the end.
    case move(id: Int, to: Int)
    case clearDone
    case filter(Filter)
    case sort
    case rows(IdentifiedActionOf<Todo>)
  }

  enum CancelID { case sort }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let text):
        state.rows.append(Todo.State(id: state.nextID, text: text))
        state.nextID += 1
        return .none

      case .fill(let count):
        for number in 0..<min(count, 100_000) {
          state.rows.append(Todo.State(id: state.nextID, text: "task \(number)"))
          state.nextID += 1
        }
        return .none

      case .delete(let ids):
        for id in ids { state.rows.remove(id: id) }
        return .none

      case .move(let id, let place):
        guard let row = state.rows.remove(id: id) else { return .none }
        state.rows.insert(row, at: min(max(0, place), state.rows.count))
        return .none

      case .clearDone:
        state.rows.removeAll(where: \.isDone)
        return .none

      case .filter(let filter):
        state.filter = filter
        return .none

      case .sort:
        // What is done goes to the end; within that the order stays.
        state.rows = IdentifiedArrayOf(
          uniqueElements: state.rows.filter { !$0.isDone } + state.rows.filter(\.isDone))
        return .none

      case .rows(.element(_, .toggle)):
        return .after(.seconds(1), .sort).cancellable(id: CancelID.sort, cancelInFlight: true)

      case .rows:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { Todo() }
  }
}

@JSONCodable
public enum Filter {
  case all
  case active
  case done
}

public struct TodosApp: PenstockApp {
  public static let name = "todos"

  public var root: Todos { Todos() }
  public var initialState: Todos.State { Todos.State() }
  public var samples: [Sample<Todos.Action>] {
    let toggles: [Sample<Todos.Action>] = (1...6).map {
      .action(.rows(.element(id: $0, action: .toggle)))
    }
    return toggles + others
  }

  private var others: [Sample<Todos.Action>] {
    [
      .action(.add("tea")), .action(.add("milk")), .action(.fill(3)), .action(.delete([2, 3])),
      .action(.move(id: 4, to: 0)), .action(.move(id: 1, to: 3)), .action(.clearDone),
      .action(.filter(.active)), .action(.filter(.done)), .action(.filter(.all)),
      .action(.rows(.element(id: 1, action: .binding(.set(\.text, "coffee"))))),
    ]
  }

  public init() {}
}
