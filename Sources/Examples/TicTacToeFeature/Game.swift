public import Penstock

/// A game of noughts and crosses between two people at one device.
@Reducer
public struct Game {
  @ObservableState
  public struct State {
    public var x: String
    public var o: String
    public var board = Board()

    /// Whose turn it is; nil when the game is over.
    public var turn: Mark? { board.isOver ? nil : board.turn }
  }

  public enum Action {
    case play(Int)
    case again
    case quit
    /// Tells the parent who won; nil is a draw.
    case ended(winner: Mark?)
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .play(let place):
        guard state.board.play(place), state.board.isOver else { return .none }
        return .send(.ended(winner: state.board.winner))
      case .again:
        state.board = Board()
        return .none
      case .quit:
        return .dismiss
      case .ended:
        return .none
      }
    }
  }
}
