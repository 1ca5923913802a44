import Penstock
import PenstockRuntime

/// The features of the scenarios of `TCA`'s users, each below a scope of its own: where all scopes that
/// can are processes, a scenario spans several.
@Reducer
struct Scenarios {
  struct State {
    var chain = Chain.State()
    var both = Both.State()
    var family = Family.State()
    var screens = Screens.State()
    var search = Search.State()
    var draws = Draws.State()
    var folder = Folder.State()
  }

  enum Action {
    case chain(Chain.Action)
    case both(Both.Action)
    case family(Family.Action)
    case screens(Screens.Action)
    case search(Search.Action)
    case draws(Draws.Action)
    case folder(Folder.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.chain, action: \.chain) { Chain() }
    Scope(state: \.both, action: \.both) { Both() }
    Scope(state: \.family, action: \.family) { Family() }
    Scope(state: \.screens, action: \.screens) { Screens() }
    Scope(state: \.search, action: \.search) { Search() }
    Scope(state: \.draws, action: \.draws) { Draws() }
    Scope(state: \.folder, action: \.folder) { Folder() }
  }
}

struct ScenarioApp: PenstockApp {
  static let name = "scenarios"
  static let operations: [any WorkerOperation.Type] = [Question.self, Series.self]
  var root: Scenarios { Scenarios() }
  var initialState: Scenarios.State { Scenarios.State(draws: .drawn()) }
}

@main enum ScenarioMain {
  static func main() { ApplicationMain.run(ScenarioApp()) }
}

/// Answered by the test, or by a worker at once.
@Operation
struct Question {
  var number: Int

  func run(_ context: OperationContext) async throws -> String { "answer \(number)" }
}

/// Several answers.
@Operation
struct Series {
  var upTo: Int

  func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
    for number in Int(context.nextIndex)..<upTo { try await output(number) }
  }
}
