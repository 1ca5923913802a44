import Penstock
import Simulation

/// Contains itself, and by `Shelf` once more.
@Reducer
struct Folder {
  struct State: Identifiable {
    var id = 0
    var name = ""
    /// Actions that it saw of what it contains.
    var seen = 0
    var folders: IdentifiedArrayOf<Folder.State> = []
    var shelf = Shelf.State()
  }

  indirect enum Action {
    case rename(String)
    case add(Int)
    case remove(Int)
    /// Empties the folders in the folders.
    case empty
    case watch
    case tick
    @Internal case forget
    case folders(IdentifiedAction<Int, Folder.Action>)
    case shelf(Shelf.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.shelf, action: \.shelf) { Shelf() }
    Reduce { state, action in
      switch action {
      case .rename(let name): state.name = name
      case .add(let id): state.folders.append(Folder.State(id: id))
      case .remove(let id): state.folders.remove(id: id)
      case .empty:
        for id in state.folders.ids { state.folders[id: id]?.folders = [] }
      case .watch: return .every(.seconds(1), .tick)
      case .tick: state.name += "."
      case .forget: state.name = ""
      case .folders, .shelf: state.seen += 1
      }
      return .none
    }
    .forEach(\.folders, action: \.folders) { Folder() }
  }
}

/// Holds folders, so that each contains the other.
@Reducer
struct Shelf {
  struct State { var folders: IdentifiedArrayOf<Folder.State> = [] }
  indirect enum Action {
    case add(Int)
    case folders(IdentifiedAction<Int, Folder.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .add(let id) = action { state.folders.append(Folder.State(id: id)) }
      return .none
    }
    .forEach(\.folders, action: \.folders) { Folder() }
  }
}

/// Its state holds arrays of arrays, and that is all.
@Reducer
struct FlatFeature {
  struct State { var rows: [[Int]] = [] }
  enum Action { case none }
  var body: some ReducerOf<Self> { EmptyReducer() }
}

/// A folder in a process of its own.
@Reducer
struct Cabinet {
  struct State { var top = Folder.State() }
  enum Action { case top(Folder.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.top, action: \.top) { Folder() }
  }
}

extension TestApplication {
  static let cabinet = TestApplication(
    program: Application(TestApp(Cabinet(), Cabinet.State())),
    placements: [["/"], ["/", "/top"], ["/", "/top", "/top/shelf"]].map { $0.map { Path($0)! } },
    makeAction: { seed in
      var random = SeededGenerator(seed: seed)
      var path = Path.root.appending("top")
      while Int.random(in: 0..<3, using: &random) > 0 {
        if Int.random(in: 0..<3, using: &random) == 0 { path = path.appending("shelf") }
        path = path.appending("folders").appending(
          "\(Int.random(in: 0..<3, using: &random))")
      }
      let id = Int.random(in: 0..<3, using: &random)
      let (below, payload) =
        [
          ("", #"{"rename":"\#(id)"}"#), ("", #"{"add":\#(id)}"#), ("", #"{"add":\#(id)}"#),
          ("shelf", #"{"add":\#(id)}"#), ("", #"{"remove":\#(id)}"#), ("", #""watch""#),
          ("", #""empty""#),
        ].randomElement(using: &random)!
      return (below.isEmpty ? path : path.appending(below), Array(payload.utf8))
    },
    results: { _, _ in OperationResult(outputs: []) })
}
