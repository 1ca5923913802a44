import Penstock

/// `Step` below one, two and four levels, each of which sees what its child does.
@Reducer
struct Nested1 {
  struct State { var child = Step.State() }
  enum Action { case child(Step.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Step() }
    Reduce { _, _ in .none }
  }
}

@Reducer
struct Nested2 {
  struct State { var child = Nested1.State() }
  enum Action { case child(Nested1.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Nested1() }
    Reduce { _, _ in .none }
  }
}

@Reducer
struct Nested3 {
  struct State { var child = Nested2.State() }
  enum Action { case child(Nested2.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Nested2() }
    Reduce { _, _ in .none }
  }
}

@Reducer
struct Nested4 {
  struct State { var child = Nested3.State() }
  enum Action { case child(Nested3.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Nested3() }
    Reduce { _, _ in .none }
  }
}
