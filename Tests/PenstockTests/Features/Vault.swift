import Penstock

/// A feature that keeps some of its actions to itself.
@Reducer
struct Vault {
  @ObservableState
  struct State {
    var code = 0
    var log: [String] = []
  }

  enum Action {
    case ask, tick
    @Internal case set(Int)
    @Internal case cleared
    @Internal case answer(Outcome<String>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .ask: return .run(NumberFact(number: 2), to: \.answer)
      case .tick: return .merge(.send(.set(7)), .after(.seconds(1), .cleared))
      case .set(let code): state.code = code
      case .cleared: state.code = 0
      case .answer(let outcome): state.log.append("\(outcome)")
      }
      return .none
    }
  }
}

/// Has vaults below it: one that is always there, one that is presented, and one behind a case that
/// is internal itself.
@Reducer
struct Bank {
  @ObservableState
  struct State {
    var vault = Vault.State()
    var hidden = Vault.State()
    @Presents var sheet: Vault.State?
    var seen = 0
  }

  enum Action {
    case vault(Vault.Action)
    @Internal case hidden(Vault.Action)
    case sheet(PresentationAction<Vault.Action>)
    case openSheet
    case reachIn
    case reachLater
    case reachByOutput
    case reachHidden
    case reachAsTold
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.vault, action: \.vault) { Vault() }
    Scope(state: \.hidden, action: \.hidden) { Vault() }
    Reduce { state, action in
      switch action {
      case .openSheet: state.sheet = Vault.State()
      case .reachIn: return .merge(.send(.vault(.set(9))), .send(.sheet(.presented(.cleared))))
      case .reachLater:
        return .merge(
          .after(.seconds(1), .vault(.cleared)),
          Effect.send(.vault(.set(8))).delay(for: .seconds(1)))
      case .reachByOutput: return .run(NumberFact(number: 3), to: \.vault.answer)
      case .reachHidden: return .send(.hidden(.tick))
      case .reachAsTold: return .send(.vault(.tick))
      case .vault, .hidden, .sheet: state.seen += 1
      }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { Vault() }
  }
}
