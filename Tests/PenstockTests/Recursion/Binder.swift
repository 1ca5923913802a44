import Penstock
import Simulation

/// Contains itself, also by its clip, which may be another process; what is in it reads it.
@Reducer
struct Binder {
  struct State: Identifiable {
    var id = 0
    var pages = 0
    var tag = Tag.State()
    var clip = Clip.State()
    var binders: IdentifiedArrayOf<Binder.State> = []
  }

  indirect enum Action {
    case fill
    case add(Int)
    case tag(Tag.Action)
    case clip(Clip.Action)
    case binders(IdentifiedAction<Int, Binder.Action>)
  }

  static let pages = SharedValue("/top", \State.pages)

  var body: some ReducerOf<Self> {
    Scope(state: \.tag, action: \.tag) { Tag() }
    Scope(state: \.clip, action: \.clip) { Clip() }
    Reduce { state, action in
      switch action {
      case .fill: state.pages += 1
      case .add(let id): state.binders.append(Binder.State(id: id))
      case .tag, .clip, .binders: break
      }
      return .none
    }
    .forEach(\.binders, action: \.binders) { Binder() }
  }
}

/// Reads the outermost binder and its clip.
@Reducer
struct Tag {
  struct State { var text = "" }
  enum Action { case write }

  var body: some ReducerOf<Self> {
    Reduce(reading: Binder.pages, Clip.count) { state, _, pages, count in
      state.text = "\(pages) \(count)"
      return .none
    }
  }
}

@Reducer
struct Clip {
  struct State {
    var count = 0
    var tag = Tag.State()
    var binders: IdentifiedArrayOf<Binder.State> = []
  }

  indirect enum Action {
    case add(Int)
    case tag(Tag.Action)
    case binders(IdentifiedAction<Int, Binder.Action>)
  }

  static let count = SharedValue("/top/clip", \State.count)

  var body: some ReducerOf<Self> {
    Scope(state: \.tag, action: \.tag) { Tag() }
    Reduce { state, action in
      if case .add(let id) = action {
        state.count += 1
        state.binders.append(Binder.State(id: id))
      }
      return .none
    }
    .forEach(\.binders, action: \.binders) { Binder() }
  }
}

@Reducer
struct Desk {
  struct State { var top = Binder.State() }
  enum Action { case top(Binder.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.top, action: \.top) { Binder() }
  }
}

extension TestApplication {
  static let desk = TestApplication(
    program: Application(TestApp(Desk(), Desk.State())),
    placements: [["/"], ["/", "/top"], ["/", "/top/clip"], ["/", "/top", "/top/clip"]].map {
      $0.map { Path($0)! }
    },
    makeAction: { seed in
      var random = SeededGenerator(seed: seed)
      var path = Path.root.appending("top")
      while Int.random(in: 0..<3, using: &random) > 0 {
        if Bool.random(using: &random) { path = path.appending("clip") }
        path = path.appending("binders").appending("\(Int.random(in: 0..<2, using: &random))")
      }
      let id = Int.random(in: 0..<2, using: &random)
      let (below, payload) =
        [
          ([], #""fill""#), ([], #"{"add":\#(id)}"#), (["clip"], #"{"add":\#(id)}"#),
          (["tag"], #""write""#), (["clip", "tag"], #""write""#),
        ].randomElement(using: &random)!
      return (path.appending(contentsOf: below), Array(payload.utf8))
    },
    results: { _, _ in OperationResult(outputs: []) })
}
