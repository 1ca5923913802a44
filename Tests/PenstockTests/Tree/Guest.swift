package import Penstock

/// `/a/c`: comes and goes, with an identity and something inside that comes and goes too.
@Reducer
package struct Guest {
  package struct State: Identifiable {
    package var id: Int
    var value = 0
    var sum = 0
    var detail: Detail.State?
  }

  package enum Action {
    case bump
    case startTimer
    case count(Int)
    case counted(Int)
    case close
    case showDetail, hideDetail
    case detail(Detail.Action)
  }

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .bump:
        state.value += 1
        return .none
      case .startTimer: return .every(.milliseconds(500), .bump)
      case .count(let upTo): return .run(Count(upTo: upTo), to: \.counted)
      case .counted(let number):
        state.sum += number
        return .none
      case .close: return .none
      case .showDetail:
        state.detail = Detail.State()
        return .send(.detail(.begin))
      case .hideDetail:
        state.detail = nil
        return .none
      case .detail(.done):
        state.detail = nil
        return .none
      case .detail: return .none
      }
    }
    .ifLet(\.detail, action: \.detail) { Detail() }
  }

  @Reducer
  package struct Detail {
    package struct State { var steps = 0 }
    package enum Action { case begin, step, done }

    package var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.steps += 1
        switch action {
        case .begin: return .merge(.every(.seconds(1), .step), .after(.seconds(2), .done))
        case .step, .done: return .none
        }
      }
    }
  }
}
