public import Penstock

/// Asks for the players' names and presents the game.
@Reducer
public struct NewGame {
  @ObservableState
  public struct State {
    public var x = ""
    public var o = ""
    @Presents public var game: Game.State?
    public var wins = Wins()

    public init(x: String = "") { self.x = x }
  }

  public enum Action {
    case binding(BindingAction<NewGame.State>)
    case start
    case game(PresentationAction<Game.Action>)
    case signOut
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer(action: \.binding)
    Reduce { state, action in
      switch action {
      case .start:
        if state.game == nil, !state.x.isEmpty, !state.o.isEmpty {
          state.game = Game.State(x: state.x, o: state.o)
        }
        return .none
      case .game(.presented(.ended(let winner))):
        state.wins.count(winner)
        return .none
      case .binding, .game, .signOut:
        return .none
      }
    }
    .ifLet(\.$game, action: \.game) { Game() }
  }
}

@JSONCodable
public struct Wins {
  public var x = 0
  public var o = 0
  public var draws = 0

  public init() {}

  mutating func count(_ winner: Mark?) {
    switch winner {
    case .x: x += 1
    case .o: o += 1
    case nil: draws += 1
    }
  }
}
