import Penstock

/// Actions that send actions, and effects that lead to effects.
@Reducer
struct Chain {
  struct State {
    var log: [String] = []
    var count = 0
    var text = ""
  }

  enum Action {
    case tap, n1, n2, end
    case countTo(Int), set(Int), later(Int)
    case ask, r1(String), r2(String), r3(String)
    case task, forever, stopAll, never(String)
    case note(String)
    case startMany(Int, of: Int), stop(Int)
  }

  enum CancelID { case all }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap:
        state.log.append("tap")
        return .merge(.send(.n1), .send(.n2))
      case .n1:
        state.log.append("n1")
        return .send(.end)
      case .n2:
        state.log.append("n2")
        return .none
      case .end:
        state.log.append("end")
        return .none
      case .countTo(let goal):
        state.count += 1
        return state.count < goal ? .send(.countTo(goal)) : .none
      case .set(let count):
        state.count = count
        return .none
      case .later(let count): return .after(.seconds(1), .set(count))
      case .ask: return .run(Question(number: 1), to: \.r1)
      case .r1(let text):
        state.log.append(text)
        return .run(Question(number: 2), to: \.r2)
      case .r2(let text):
        state.log.append(text)
        return .run(Question(number: 3), to: \.r3)
      case .r3(let text):
        state.log.append(text)
        return .none
      case .task: return .merge(.send(.forever), .send(.forever), .send(.forever))
      case .forever:
        return .run(Question(number: 0), to: \.never).cancellable(id: CancelID.all)
      case .stopAll: return .cancel(id: CancelID.all)
      case .never: return .none
      case .note(let text):
        state.text = text
        return .none
      case .startMany(let count, let ids):
        return .merge(
          (0..<count).map { .run(Question(number: $0), to: \.never).cancellable(id: $0 % ids) })
      case .stop(let id): return .cancel(id: id)
      }
    }
  }
}
