public import Penstock

/// A number that goes up and down, and a fact about it from a service.
@Reducer
public struct Counter {
  public struct State {
    public var count = 0
    public var fact: String? = nil
    public var isLoading = false

    public init() {}
  }

  public enum Action {
    case increment
    case decrement
    /// One up now and one more by an action of its own.
    case incrementTwice
    case askFact
    case fact(Outcome<String>)
    case cancelFact
    case reset
  }

  enum CancelID { case fact }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        state.fact = nil
        return .none

      case .decrement:
        state.count -= 1
        state.fact = nil
        return .none

      case .incrementTwice:
        state.count += 1
        return .send(.increment)

      case .askFact:
        state.isLoading = true
        return .run(NumberFact(number: state.count), to: \.fact)
          .timeout(.seconds(10))
          .retry(maximumAttempts: 2)
          .cancellable(id: CancelID.fact, cancelInFlight: true)

      case .fact(let outcome):
        state.isLoading = false
        switch outcome {
        case .success(let fact): state.fact = fact
        case .failure(let failure): state.fact = "(\(failure.message))"
        }
        return .none

      case .cancelFact:
        state.isLoading = false
        return .cancel(id: CancelID.fact)

      case .reset:
        state = State()
        return .cancel(id: CancelID.fact)
      }
    }
  }
}
