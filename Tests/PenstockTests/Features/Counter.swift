import Penstock

/// A counter that can be a child, has effects of every kind, and sends to itself.
@Reducer
struct Counter {
  struct State: Identifiable {
    var id = 0
    var count = 0
    var log: [String] = []
  }

  enum Action {
    case increment, decrement
    case set(Int)
    case countTo(Int)
    case sendAll([Int])
    case chain([String])
    case startTimer, stopTimer, tick
    case later(Int)
    case ask(Int), answered(Outcome<String>)
    case stream(Int), streamed(Int)
    case fail(Int), failed(Outcome<Int>), failQuietly, quiet(Int)
    case cancelsItself
    case forever, stopAll, fanOut
  }

  enum CancelID { case timer, ask, all }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      case .decrement:
        state.count -= 1
        return state.count < 0 ? .send(.increment) : .none
      case .set(let count):
        state.count = count
        return .none
      case .countTo(let goal):
        state.count += 1
        return state.count < goal ? .send(.countTo(goal)) : .none
      case .sendAll(let counts):
        state.log.append("sendAll")
        return .merge(counts.map { .send(.set($0)) })
      case .chain(let names):
        state.log += names.prefix(1)
        return names.count > 1
          ? .merge(names.dropFirst().map { .send(.chain([$0])) }) : .none
      case .startTimer:
        return .every(.seconds(1), .tick).cancellable(id: CancelID.timer, cancelInFlight: true)
      case .stopTimer: return .cancel(id: CancelID.timer)
      case .tick:
        state.count += 1
        return .none
      case .later(let count): return .after(.seconds(1), .set(count))
      case .ask(let number):
        return .run(NumberFact(number: number), to: \.answered)
          .cancellable(id: CancelID.ask, cancelInFlight: true)
      case .answered(let outcome):
        state.log.append("\(outcome)")
        return .none
      case .stream(let upTo):
        return .run(Stream(upTo: upTo), to: \.streamed).retry(maximumAttempts: 2, backoff: .zero)
      case .streamed(let number):
        state.log.append("\(number)")
        return .none
      case .fail(let attempts):
        return .run(Fails(message: "no"), to: \.failed)
          .retry(maximumAttempts: attempts, backoff: .microseconds(1))
      case .failed(.failure(let failure)):
        state.log.append("\(failure)")
        return .none
      case .failed(.success): return .none
      case .failQuietly: return .run(Fails(message: "unheard"), to: \.quiet)
      case .cancelsItself: return .run(CancelsItself(), to: \.failed)
      case .forever:
        return .run(Never_(), to: \.quiet).cancellable(id: CancelID.all)
      case .stopAll: return .cancel(id: CancelID.all)
      case .fanOut: return .merge(.send(.forever), .send(.forever), .send(.forever))
      case .quiet: return .none
      }
    }
  }
}
