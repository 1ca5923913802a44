import FoundationEssentials
import Penstock

/// Asks for facts, counts, ticks and streams: an effect of every kind.
@Reducer
struct Numbers {
  struct State {
    var number = 0
    var fact: String?
    var isLoading = false
    var log: [Int] = []
  }

  enum Action {
    case increment, decrement
    case fill(Int)
    case ask, cancel
    case response(Outcome<String>)
    case startTimer, stopTimer, tick
    case two, first, second(Int)
    case stream(Int), streamed(Int)
    case quiet
    case soon(Int, after: Int)
  }

  enum CancelID { case fact, timer }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.number += 1
        return .none
      case .decrement:
        state.number -= 1
        return state.number < 0 ? .send(.increment) : .none
      case .fill(let count):
        state.log = Array(0..<count)
        return .none
      case .ask:
        state.isLoading = true
        return .run(NumberFact(number: state.number), to: \.response)
          .cancellable(id: CancelID.fact, cancelInFlight: true)
      case .cancel:
        state.isLoading = false
        return .cancel(id: CancelID.fact)
      case .response(.success(let fact)):
        state.isLoading = false
        state.fact = fact
        return .none
      case .response(.failure):
        state.isLoading = false
        return .none
      case .startTimer:
        return .every(.seconds(1), .tick).cancellable(id: CancelID.timer, cancelInFlight: true)
      case .stopTimer: return .cancel(id: CancelID.timer)
      case .tick:
        state.number += 1
        return .none
      case .two: return .merge(.send(.first), .send(.second(42)))
      case .first: return .none
      case .second(let number):
        state.number = number
        return .none
      case .stream(let upTo): return .run(Stream(upTo: upTo), to: \.streamed)
      case .streamed(let number):
        state.log.append(number)
        return .none
      case .quiet: return .run(NumberFact(number: -1), to: \.response.success)
      case .soon(let number, let milliseconds):
        return .after(.milliseconds(milliseconds), .second(number))
      }
    }
  }
}

@Operation
struct NumberFact {
  var number: Int

  func run(_ context: OperationContext) async throws -> String {
    try await context.dependencies[FactClient.self].fact(number)
  }
}

@Operation
struct Stream {
  var upTo: Int

  func run(_ context: OperationContext, output: OutputSink<Int>) async throws {
    for number in Int(context.nextIndex)..<upTo {
      try await output(number)
      context.heartbeat(cursor: number)
      context.log("at \(number)")
    }
    if upTo > 5 { throw Failure(code: "much", message: "\(upTo) is too much") }
  }
}

struct FactClient: DependencyKey {
  var fact: @Sendable (Int) async throws -> String

  static let liveValue = FactClient { "\($0) is live" }
}

/// Presents a child.
@Reducer
struct Stage {
  struct State {
    @Presents var guest: Numbers.State?
  }

  enum Action {
    case present
    case guest(PresentationAction<Numbers.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .present = action { state.guest = Numbers.State() }
      return .none
    }
    .ifLet(\.$guest, action: \.guest) { Numbers() }
  }
}

/// A child that comes and goes, and something to draw.
@Reducer
struct Hall {
  struct State {
    var guest: Numbers.State?
    var id: UUID?
    var pair: [UUID] = []
    var opened: Date?
    var die = 0
  }

  enum Action {
    case invite, dismiss, draw
    case guest(Numbers.Action)
  }

  @Dependency(\.uuid) var uuid
  @Dependency(\.now) var now
  @Dependency(\.random) var random

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .invite: state.guest = Numbers.State()
      case .dismiss: state.guest = nil
      case .draw:
        state.pair = [uuid(), uuid()]
        state.opened = now
        state.die = random(in: 1...6)
      case .guest: break
      }
      return .none
    }
    .ifLet(\.guest, action: \.guest) { Numbers() }
  }
}
