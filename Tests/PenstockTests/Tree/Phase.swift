package import Penstock

/// `/a/b/phase`: an enum state, whose cases are mounts.
@Reducer
package struct Phase {
  package enum State {
    case idle(Idle.State)
    case running(Running.State)
  }

  package enum Action {
    case toggle
    case idle(Idle.Action)
    case running(Running.Action)
  }

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch (action, state) {
      case (.toggle, .idle(let idle)): state = .running(Running.State(started: idle.waits))
      case (.toggle, .running(let running)): state = .idle(Idle.State(waits: running.steps))
      default: break
      }
      return .none
    }
    .ifCaseLet(\.idle, action: \.idle) { Idle() }
    .ifCaseLet(\.running, action: \.running) { Running() }
  }

  @Reducer
  package struct Idle {
    package struct State { var waits = 0 }
    package enum Action { case wait }

    package var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.waits += 1
        return .none
      }
    }
  }

  @Reducer
  package struct Running {
    package struct State {
      var started: Int
      var steps = 0
    }
    package enum Action { case step, auto }

    package var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.steps += 1
        return action == .auto ? .every(.seconds(1), .step) : .none
      }
    }
  }
}
