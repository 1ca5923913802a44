import FoundationEssentials
import Penstock

/// What reducers read besides their state, also where the state begins.
@Reducer
struct Draws {
  struct State {
    var began: Date?
    var ids: [UUID] = []
    var die = 0

    static func drawn() -> Self {
      @Dependency(\.now) var now
      @Dependency(\.uuid) var uuid
      return Self(began: now, ids: [uuid(), uuid()])
    }
  }

  enum Action {
    case draw
    case cheat(Cheat)
    case cheated
  }

  /// What a reducer must not do: something else in a process of its own.
  @CasePathable
  enum Cheat: CaseIterable { case state, effect, send, remark }

  private static let isAlone = CommandLine.arguments.dropFirst().first == "feature"

  @Dependency(\.now) var now
  @Dependency(\.uuid) var uuid
  @Dependency(\.random) var random

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .draw:
        state.began = now
        state.ids = [uuid(), uuid()]
        state.die = random(in: 1...1_000_000)
        return .none
      case .cheat(let cheat) where Self.isAlone:
        switch cheat {
        case .state:
          state.die = 7
          return .none
        case .effect: return .after(.seconds(1), .cheated)
        case .send: return .send(.cheated)
        case .remark: return .dismiss
        }
      case .cheat, .cheated: return .none
      }
    }
  }
}
