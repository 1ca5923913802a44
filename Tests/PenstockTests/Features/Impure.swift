import FoundationEssentials
import Penstock
import Synchronization

/// Reads its inputs, and, when told to, something that no replay has.
@Reducer
struct Drawing {
  struct State {
    var ids: [UUID] = []
    var numbers: [Int] = []
    var date: Date?
    var child = Child.State()
  }

  enum Action {
    case draw, cheat
    case child(Child.Action)
  }

  static let secret = Mutex(0)

  @Dependency(\.now) var now
  @Dependency(\.uuid) var uuid
  @Dependency(\.random) var random
  @Dependency(\.logger) var logger

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Child() }
    Reduce { state, action in
      switch action {
      case .draw, .child:
        state.ids = [uuid(), uuid()]
        state.numbers = [random(in: 1...1_000_000)]
        state.date = now
        logger("drawn")
      case .cheat:
        state.numbers = [
          Self.secret.withLock {
            $0 += 1
            return $0
          }
        ]
      }
      return .none
    }
  }

  @Reducer
  struct Child {
    struct State { var ids: [UUID] = [] }
    enum Action { case draw }

    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.ids = [uuid(), uuid()]
        return .none
      }
    }
  }
}
