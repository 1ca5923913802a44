public import Penstock

/// A form with an address and a password, which asks for a code where the account wants one.
///
/// What is typed travels as actions and stands in the journal: a form for real passwords would keep
/// them at the client and submit a proof.
@Reducer
public struct Login {
  @ObservableState
  public struct State {
    public var email = ""
    public var password = ""
    public var isLoading = false
    public var error: String?
    @Presents public var code: CodeEntry.State?

    public init() {}
  }

  public enum Action {
    case binding(BindingAction<Login.State>)
    case submit
    case answered(Outcome<Authentication>)
    case code(PresentationAction<CodeEntry.Action>)
    /// Tells the parent who it is.
    case signedIn(String)
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
        guard !state.isLoading else { return .none }
        guard state.email.contains("@"), !state.password.isEmpty else {
          state.error = "An address and a password are needed"
          return .none
        }
        state.isLoading = true
        state.error = nil
        return .run(
          Authenticate(email: state.email, password: state.password), to: \.answered
        ).timeout(.seconds(5))

      case .answered(.success(let answer)):
        state.isLoading = false
        guard answer.needsCode else { return .send(.signedIn(answer.token)) }
        state.code = CodeEntry.State(token: answer.token)
        return .none

      case .answered(.failure(let failure)):
        state.isLoading = false
        state.error = failure.message
        return .none

      case .code(.presented(.verified(.success(let answer)))):
        state.code = nil
        return .send(.signedIn(answer.token))

      case .code, .signedIn:
        return .none
      }
    }
    .ifLet(\.$code, action: \.code) { CodeEntry() }
  }
}
