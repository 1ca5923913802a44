import Penstock

/// Every operator that is about time, change or bindings.
@Reducer
struct Search {
  struct State {
    var query = ""
    var limit = 10
    var count = 0
    var changes: [String] = []
    var throttle = Throttle()
    var log: [Int] = []
  }

  enum Action {
    case binding(BindingAction<State>)
    case typed(Int), tapped(Int), tappedFirst(Int), limit(Int)
    case work(Int), worked(Outcome<String>)
    case fired(Int)
    case steps, together, withNone
    case start, stopFirst, stopSecond
    case save
  }

  enum CancelID { case search, tap }
  enum First {}
  enum Second {}

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.binding)
    Reduce { state, action in
      switch action {
      case .binding(\.query):
        state.count += 1
        return .none
      case .binding: return .none
      case .typed(let number):
        return .send(.fired(number)).debounce(id: CancelID.search, for: .seconds(1))
      case .tapped(let number):
        return .send(.fired(number))
          .throttle(&state.throttle, id: CancelID.tap, for: .seconds(1))
      case .tappedFirst(let number):
        return .send(.fired(number))
          .throttle(&state.throttle, id: CancelID.tap, for: .seconds(1), latest: false)
      case .limit(let limit):
        state.limit = limit
        return .none
      case .work(let number):
        return .run(Work(number: number), to: \.worked)
          .retry(maximumAttempts: 3).timeout(.seconds(5)).on(queue: "search")
          .debounce(id: CancelID.search, for: .seconds(1))
      case .worked: return .none
      case .fired(let number):
        state.log.append(number)
        return .none
      case .steps:
        return .concatenate(
          .after(.seconds(1), .fired(1)), .after(.seconds(2), .fired(2)),
          .after(.seconds(3), .fired(3)))
      case .together:
        return .merge(
          .after(.seconds(1), .fired(1)), .after(.seconds(2), .fired(2)),
          .after(.seconds(3), .fired(3)))
      case .withNone:
        return .concatenate(
          .none, .merge(.none, .send(.fired(1))), .none,
          .run(Work(number: 1), to: \.worked))
      case .start:
        return .merge(
          Effect.every(.seconds(1), .fired(1)).cancellable(id: First.self),
          Effect.every(.seconds(1), .fired(2)).cancellable(id: Second.self))
      case .stopFirst: return .cancel(id: First.self)
      case .stopSecond: return .cancel(id: Second.self)
      case .save:
        return Effect.merge(.send(.fired(1)), .every(.seconds(1), .fired(2)))
          .delay(for: .seconds(1)).cancellable(id: CancelID.search)
      }
    }
    .onChange(of: \.limit) { old, new in
      Reduce { state, _ in
        state.changes.append("\(old) → \(new)")
        return .send(.fired(new))
      }
    }
  }
}

/// A parent whose logic observes one child action, under an onChange.
@Reducer
struct SearchParent {
  struct State {
    var search = Search.State()
    var other = Search.State()
    var seen = 0
    var changes: [Int] = []
  }

  enum Action {
    case search(Search.Action)
    case other(Search.Action)
    case reset
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.search, action: \.search) { Search() }
    Scope(state: \.other, action: \.other) { Search() }
    CombineReducers {
      Reduce(observing: \.search.fired) { state, _ in
        state.seen += 1
        return .none
      }
      Reduce(observing: \.other.fired) { state, _ in
        state.seen += 10
        return .none
      }
    }
    .onChange(of: \.seen) { _, new in
      Reduce { state, _ in
        state.changes.append(new)
        return .none
      }
    }
    ._printChanges()
  }
}
