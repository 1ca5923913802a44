public import Penstock

/// The second factor: a code that somebody was sent.
@Reducer
public struct CodeEntry {
  @ObservableState
  public struct State {
    public var token: String
    public var code = ""
    public var isLoading = false
    public var error: String?
  }

  public enum Action {
    case binding(BindingAction<CodeEntry.State>)
    case submit
    case verified(Outcome<Authentication>)
    case cancel
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer(action: \.binding)
    Reduce { state, action in
      switch action {
      case .binding:
        state.error = nil
        return .none

      case .submit:
        guard !state.isLoading, !state.code.isEmpty else { return .none }
        state.isLoading = true
        return .run(VerifyCode(token: state.token, code: state.code), to: \.verified)
          .timeout(.seconds(5))

      case .verified(.failure(let failure)):
        state.isLoading = false
        state.error = failure.message
        return .none

      case .verified(.success):
        state.isLoading = false
        return .none

      case .cancel:
        return .dismiss
      }
    }
  }
}
