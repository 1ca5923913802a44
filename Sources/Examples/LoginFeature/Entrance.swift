public import Penstock

/// Shows the login when somebody wants in; leaving it ends what it asked for.
@Reducer
public struct Entrance {
  @ObservableState
  public struct State {
    @Presents public var login: Login.State?
    public var user: String?

    public init() {}
  }

  public enum Action {
    case enter
    case leave
    case signOut
    case login(PresentationAction<Login.Action>)
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .enter:
        if state.user == nil { state.login = Login.State() }
        return .none
      case .leave:
        state.login = nil
        return .none
      case .signOut:
        state.user = nil
        return .none
      case .login(.presented(.signedIn(let user))):
        state.user = user
        state.login = nil
        return .none
      case .login:
        return .none
      }
    }
    .ifLet(\.$login, action: \.login) { Login() }
  }
}

public struct LoginApp: PenstockApp {
  public static let name = "login"
  public static let operations: [any WorkerOperation.Type] = [Authenticate.self, VerifyCode.self]

  public var root: Entrance { Entrance() }
  public var initialState: Entrance.State { Entrance.State() }
  public var samples: [Sample<Entrance.Action>] {
    [
      .action(.enter), .action(.enter), .action(.leave), .action(.signOut),
      .action(.login(.presented(.binding(.set(\.email, "ada@example.org"))))),
      .action(.login(.presented(.binding(.set(\.password, "engine"))))),
      .action(.login(.presented(.submit))), .action(.login(.presented(.submit))),
      .action(.login(.presented(.code(.presented(.binding(.set(\.code, "1234"))))))),
      .action(.login(.presented(.code(.presented(.submit))))),
      .action(.login(.presented(.code(.presented(.cancel))))), .action(.login(.dismiss)),
      .output(Authentication(token: "ada"), of: Authenticate.self),
      .output(Authentication(token: "grace", needsCode: true), of: Authenticate.self),
      .output(Authentication(token: "grace"), of: VerifyCode.self),
    ]
  }

  public init() {}
}
