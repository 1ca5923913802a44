import Penstock
import PenstockRuntime

/// Two tallies and their sum.
@Reducer
struct Pair {
  /// What an addition counts in the total: another one in the build that is called `pair-new`.
  var weight = 1

  @ObservableState
  struct State {
    var left = Tally.State()
    var right = Tally.State()
    var total = 0
  }

  enum Action {
    case left(Tally.Action)
    case right(Tally.Action)
    case reset
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { Tally() }
    Scope(state: \.right, action: \.right) { Tally() }
    Reduce { state, action in
      switch action {
      case .left(.add(let number)), .right(.add(let number)): state.total += number * weight
      case .reset:
        state.left.sum = 0
        state.right.sum = 0
        state.total = 0
      case .left, .right: break
      }
      return .none
    }
  }
}

struct PairApplication: PenstockApp {
  static let name = "pair"
  static let operations: [any WorkerOperation.Type] = [Echo.self, EchoTwice.self]
  var root: Pair { Pair(weight: CommandLine.arguments[0].hasSuffix("-new") ? 2 : 1) }
  var initialState: Pair.State { Pair.State() }
}

@main enum PairMain {
  static func main() { ApplicationMain.run(PairApplication()) }
}
