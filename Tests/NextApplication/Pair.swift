import Penstock
import PenstockRuntime

/// The next version of the application of the process tests, for migrations.
@Reducer
struct Pair {
  @ObservableState
  struct State {
    var left = Tally.State(best: 0)
    var right = Tally.State(best: 0)
    var total = 0
  }

  enum Action {
    case left(Tally.Action)
    case right(Tally.Action)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { Tally() }
    Scope(state: \.right, action: \.right) { Tally() }
    Reduce { state, action in
      switch action {
      case .left(.add(let number)), .right(.add(let number)): state.total += number
      }
      return .none
    }
  }
}

struct PairApplication: PenstockApp {
  static let name = "pair"
  static let operations: [any WorkerOperation.Type] = []
  var root: Pair { Pair() }
  var initialState: Pair.State { Pair.State() }
}

@main enum PairMain {
  static func main() { ApplicationMain.run(PairApplication()) }
}
