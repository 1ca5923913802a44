public import Penstock

/// Two counters in one app, and a parent that resets both.
@Reducer
public struct TwoCounters {
  public struct State {
    public var left = Counter.State()
    public var right = Counter.State()
    /// How often both were reset.
    public var resets = 0

    public init() {}
  }

  public enum Action {
    case left(Counter.Action)
    case right(Counter.Action)
    case resetAll
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { Counter() }
    Scope(state: \.right, action: \.right) { Counter() }
    Reduce(observing: \.left.reset, \.right.reset) { state, action in
      switch action {
      case .resetAll:
        // The parent writes to its children, wherever they run.
        state.left = Counter.State()
        state.right = Counter.State()
        state.resets += 1
        return .none
      case .left, .right:
        return .none
      }
    }
  }
}

public struct CounterApp: PenstockApp {
  public static let name = "counter"
  public static let operations: [any WorkerOperation.Type] = [NumberFact.self]
  public static let configurableDependencies: [any ConfigurableDependencyKey.Type] = [
    NumberService.self
  ]

  public var root: TwoCounters { TwoCounters() }
  public var initialState: TwoCounters.State { TwoCounters.State() }
  public var samples: [Sample<TwoCounters.Action>] {
    [
      .action(.left(.increment)), .action(.right(.increment)), .action(.left(.incrementTwice)),
      .action(.right(.decrement)), .action(.left(.askFact)), .action(.right(.askFact)),
      .action(.left(.cancelFact)), .action(.right(.reset)), .action(.resetAll),
      .output("7 is the number of days in a week.", of: NumberFact.self),
      .output("11 is a prime number.", of: NumberFact.self),
    ]
  }

  public init() {}
}
