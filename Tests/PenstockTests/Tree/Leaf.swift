package import Penstock

/// `/a/b`: counts, sends to itself a bounded number of times, works, and tells its parents.
@Reducer
package struct Leaf {
  package struct State {
    var count = 0
    var ticks = 0
    var result: String?
    var phase = Phase.State.idle(Phase.Idle.State())
  }

  package enum Action {
    case increment
    case chain(Int)
    case work(Int)
    case worked(Outcome<String>)
    case startTimer, stopTimer, tick
    case later, reset
    case delegate(Delegate)
    case phase(Phase.Action)
  }

  @CasePathable
  package enum Delegate { case reached(Int) }

  enum CancelID { case work, timer }

  package var body: some ReducerOf<Self> {
    Scope(state: \.phase, action: \.phase) { Phase() }
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return state.count % 5 == 0 ? .send(.delegate(.reached(state.count))) : .none
      case .chain(let left):
        state.count += 1
        return left > 0 ? .send(.chain(left - 1)) : .send(.delegate(.reached(state.count)))
      case .work(let number):
        return .run(Work(number: number), to: \.worked)
          .retry(maximumAttempts: 2)
          .cancellable(id: CancelID.work, cancelInFlight: number % 2 == 0)
      case .worked(.success(let text)):
        state.result = text
        return .none
      case .worked(.failure(let failure)):
        state.result = failure.code
        return .send(.increment)
      case .startTimer:
        return .every(.milliseconds(700), .tick)
          .cancellable(id: CancelID.timer, cancelInFlight: true)
      case .stopTimer: return .cancel(id: CancelID.timer)
      case .tick:
        state.ticks += 1
        return .none
      case .later: return .after(.milliseconds(300), .increment)
      case .reset:
        state = State()
        return .merge(.cancel(id: CancelID.work), .cancel(id: CancelID.timer))
      case .delegate, .phase: return .none
      }
    }
  }
}
