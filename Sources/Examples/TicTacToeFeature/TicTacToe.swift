public import LoginFeature
public import Penstock

/// First who it is, then the games.
@Reducer
public struct TicTacToe {
  @ObservableState
  public enum State {
    case login(Login.State)
    case games(NewGame.State)

    public init() { self = .login(Login.State()) }
  }

  public enum Action {
    case login(Login.Action)
    case games(NewGame.Action)
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .login(.signedIn(let user)): state = .games(NewGame.State(x: user))
      case .games(.signOut): state = .login(Login.State())
      case .login, .games: break
      }
      return .none
    }
    .ifCaseLet(\.login, action: \.login) { Login() }
    .ifCaseLet(\.games, action: \.games) { NewGame() }
  }
}

public struct TicTacToeApp: PenstockApp {
  public static let name = "tictactoe"
  public static let operations: [any WorkerOperation.Type] = [Authenticate.self, VerifyCode.self]

  public var root: TicTacToe { TicTacToe() }
  public var initialState: TicTacToe.State { TicTacToe.State() }
  public var samples: [Sample<TicTacToe.Action>] {
    let moves: [Sample<TicTacToe.Action>] = (0..<9).map {
      .action(.games(.game(.presented(.play($0)))))
    }
    return moves + others
  }

  private var others: [Sample<TicTacToe.Action>] {
    [
      .action(.login(.binding(.set(\.email, "ada@example.org")))),
      .action(.login(.binding(.set(\.password, "engine")))),
      .action(.login(.submit)), .action(.login(.submit)),
      .action(.login(.code(.presented(.binding(.set(\.code, "1234")))))),
      .action(.login(.code(.presented(.submit)))),
      .action(.games(.binding(.set(\.o, "Grace")))), .action(.games(.start)),
      .action(.games(.start)), .action(.games(.game(.presented(.again)))),
      .action(.games(.game(.presented(.quit)))), .action(.games(.signOut)),
      .output(Authentication(token: "ada"), of: Authenticate.self),
      .output(Authentication(token: "grace", needsCode: true), of: Authenticate.self),
      .output(Authentication(token: "grace"), of: VerifyCode.self),
    ]
  }

  public init() {}
}
