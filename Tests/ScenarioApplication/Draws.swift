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

  enum Action { case draw }

  @Dependency(\.now) var now
  @Dependency(\.uuid) var uuid
  @Dependency(\.random) var random

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.began = now
      state.ids = [uuid(), uuid()]
      state.die = random(in: 1...1_000_000)
      return .none
    }
  }
}
