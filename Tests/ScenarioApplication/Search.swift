import Penstock

/// Every operator that is about time and cancellation.
@Reducer
struct Search {
  struct State {
    var throttle = Throttle()
    var log: [Int] = []
    var texts: [String] = []
  }

  enum Action {
    case fired(Int)
    case stream(Int), streamed(Int), stop
    case replace(Int), beside(Int), stopBeside, later(Int)
    case startTwo, stopFirst, stopSecond
    case typed(Int), tapped(Int), tappedFirst(Int), askTyped(Int)
    case steps, together, withNone
    case ask(Int), answered(Outcome<String>)
    case askQuietly, heard(String)
    case startAndStop
  }

  enum CancelID { case stream, replace, beside, search, tap }
  enum First {}
  enum Second {}

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .fired(let number), .streamed(let number):
        state.log.append(number)
        return .none
      case .stream(let upTo):
        return .run(Series(upTo: upTo), to: \.streamed).cancellable(id: CancelID.stream)
      case .stop: return .cancel(id: CancelID.stream)
      case .replace(let upTo):
        return .run(Series(upTo: upTo), to: \.streamed)
          .cancellable(id: CancelID.replace, cancelInFlight: true)
      case .beside(let seconds):
        return .after(.seconds(seconds), .fired(seconds)).cancellable(id: CancelID.beside)
      case .stopBeside: return .cancel(id: CancelID.beside)
      case .later(let number): return .after(.seconds(1), .fired(number))
      case .startTwo:
        return .merge(
          Effect.every(.seconds(1), .fired(1)).cancellable(id: First.self),
          Effect.every(.seconds(1), .fired(2)).cancellable(id: Second.self))
      case .stopFirst: return .cancel(id: First.self)
      case .stopSecond: return .cancel(id: Second.self)
      case .typed(let number):
        return .send(.fired(number)).debounce(id: CancelID.search, for: .seconds(1))
      case .askTyped(let number):
        return .run(Question(number: number), to: \.answered)
          .debounce(id: CancelID.search, for: .seconds(1))
      case .tapped(let number):
        return .send(.fired(number)).throttle(&state.throttle, id: CancelID.tap, for: .seconds(1))
      case .tappedFirst(let number):
        return .send(.fired(number))
          .throttle(&state.throttle, id: CancelID.tap, for: .seconds(1), latest: false)
      case .steps:
        return .concatenate(
          .after(.seconds(1), .fired(1)), .after(.seconds(2), .fired(2)),
          .after(.seconds(3), .fired(3)))
      case .together:
        return .merge(
          .after(.seconds(1), .fired(1)), .after(.seconds(2), .fired(2)),
          .after(.seconds(3), .fired(3)))
      case .withNone:
        return .concatenate(
          .none, .merge(.none, .send(.fired(1))), .none, .run(Question(number: 1), to: \.answered))
      case .ask(let number): return .run(Question(number: number), to: \.answered)
      case .answered(let outcome):
        switch outcome {
        case .success(let text): state.texts.append(text)
        case .failure(let failure): state.texts.append("(\(failure.message))")
        }
        return .none
      case .askQuietly: return .run(Question(number: -1), to: \.heard)
      case .heard(let text):
        state.texts.append(text)
        return .none
      case .startAndStop:
        return .merge(
          .run(Question(number: 9), to: \.answered).cancellable(id: "x"), .cancel(id: "x"))
      }
    }
  }
}
