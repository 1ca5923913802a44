import Penstock

/// The application of the process tests: a counter that can be asked for every misbehaviour.
@Reducer
struct Tally {
  @ObservableState
  struct State {
    var sum = 0
    /// Every number that was added: what a client sent must be here, and once.
    var numbers: IdentifiedArrayOf<Addition> = []
    var answers: [Int] = []
    var pending = 0
    var ticks = 0
    var note = ""
  }

  enum Action {
    case add(Int)
    /// The least that an action can do.
    case bump(Int)
    case ask(Int, milliseconds: Int)
    /// Is answered at once and again after a while, by one operation.
    case askTwice(Int, milliseconds: Int)
    /// Asks three times, by actions that it sends.
    case askThrice
    @Internal case answered(Outcome<Int>)
    case binding(BindingAction<Tally.State>)
    case forget
    case start
    case tick
    /// Sends so many actions in one transition.
    case flood(Int)
    /// Ends the process.
    case trap
    /// Never returns.
    case spin
  }

  enum CancelID { case questions }

  var body: some ReducerOf<Self> {
    BindingReducer(action: \.binding)
    Reduce { state, action in
      switch action {
      case .askThrice:
        return .merge((0..<3).map { .send(.ask($0, milliseconds: 60_000)) })
      case .binding: return .none
      case .add(let number):
        state.sum += number
        if state.numbers[id: number] == nil { state.numbers.append(Addition(id: number)) }
        state.numbers[id: number]?.times += 1
        return .none
      case .bump(let number):
        state.sum += number
        return .none
      case .ask(let number, let milliseconds):
        state.pending += 1
        return .run(Echo(number: number, milliseconds: milliseconds), to: \.answered)
          .cancellable(id: CancelID.questions)
      case .askTwice(let number, let milliseconds):
        state.pending += 2
        return .run(EchoTwice(number: number, milliseconds: milliseconds), to: \.answered)
      case .answered(.success(let number)):
        state.pending -= 1
        state.answers.append(number)
        return .none
      case .answered(.failure):
        state.pending -= 1
        return .none
      case .forget:
        state.pending = 0
        return .cancel(id: CancelID.questions)
      case .start: return .every(.milliseconds(20), .tick)
      case .tick:
        state.ticks += 1
        return .none
      case .flood(let count):
        state.sum += 1
        return .merge((0..<count).map { _ in .send(.bump(1)) })
      case .trap: preconditionFailure("asked for")
      case .spin: while true {}
      }
    }
  }
}

@JSONCodable
struct Addition: Identifiable {
  var id: Int
  var times = 0
}

/// Answers with its number after a while.
@Operation
struct Echo {
  var number: Int
  var milliseconds: Int

  func run(_ context: OperationContext) async throws -> Int {
    try await Task.sleep(for: .milliseconds(milliseconds))
    return number
  }
}

/// Answers with its number at once, and again after a while.
@Operation
struct EchoTwice {
  var number: Int
  var milliseconds: Int

  func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
    try await output(number)
    try await Task.sleep(for: .milliseconds(milliseconds))
    try await output(number)
  }
}
