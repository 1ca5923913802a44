import Penstock

/// The smallest feature: a counter with sends, an operation and timers.
@Reducer
struct Leaf {
  @ObservableState
  struct State {
    var count = 0
    var drawn = 0
    var loading = 0
    var text = ""
    var ticks = 0
  }

  enum Action {
    case add(Int)
    /// Sends itself on, counting down.
    case chain(Int)
    case draw
    case load(Int)
    case loaded(Outcome<String>)
    case cancelLoad
    case stream
    case streamed(Outcome<Int>)
    case later
    case startTimer
    case stopTimer
    case tick
  }

  enum CancelID { case load, timer, later }

  @Dependency(\.random) var random

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let number):
        state.count += number
        return .none
      case .chain(let depth):
        state.count += 1
        return depth > 0 ? .merge(.send(.chain(depth - 1)), .send(.add(1))) : .none
      case .draw:
        state.drawn = random(in: 0...1_000_000)
        return .none
      case .load(let number):
        state.loading += 1
        let lookup = Effect<Action>.run(Lookup(number: number), to: \.loaded)
          .cancellable(id: CancelID.load, cancelInFlight: number % 3 == 0)
        // Without a time-out nothing covers up that an output was lost.
        if number % 2 == 0 { return lookup }
        return lookup.timeout(.milliseconds(600))
          .retry(maximumAttempts: 3, backoff: .milliseconds(10))
      case .loaded(.success(let text)):
        state.loading -= 1
        state.text = text
        return .none
      case .loaded(.failure(let failure)):
        state.loading -= 1
        state.text = failure.code
        return .send(.add(-1))
      case .cancelLoad:
        state.loading = 0
        return .cancel(id: CancelID.load)
      case .stream:
        let numbers = Effect<Action>.run(Numbers(count: 3), to: \.streamed)
          .cancellable(id: CancelID.load)
          .retry(maximumAttempts: 3, backoff: .milliseconds(10))
        return state.count % 2 == 0 ? numbers : numbers.heartbeatTimeout(.milliseconds(700))
      case .streamed(.success(let number)):
        state.count += number
        return .none
      case .streamed(.failure):
        return .none
      case .later:
        return .after(.milliseconds(20), .tick).cancellable(id: CancelID.later)
      case .startTimer:
        return .every(.milliseconds(150), .tick)
          .cancellable(id: CancelID.timer, cancelInFlight: true)
      case .stopTimer:
        return .merge(.cancel(id: CancelID.timer), .cancel(id: CancelID.later))
      case .tick:
        state.ticks += 1
        return .none
      }
    }
  }
}

@Operation
struct Lookup {
  var number: Int

  func run(_ context: OperationContext) async throws -> String { "fact \(number)" }
}

@Operation
struct Numbers: StreamingOperation {
  var count: Int

  func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
    for number in 0..<count { try await output(number) }
  }
}
