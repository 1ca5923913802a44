import Penstock
import Synchronization

/// Time that stands still until a test moves it.
final class ManualClock: Sendable {
  private struct Sleeper: Sendable {
    var due: Int64
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var now: Int64 = 1_000_000_000
    var sleepers: [Sleeper] = []
  }

  private let state = Mutex(State())

  var storeClock: StoreClock {
    StoreClock(
      now: { self.state.withLock(\.now) },
      sleep: { due in
        await withCheckedContinuation { continuation in
          let isDue = self.state.withLock { state in
            if due > state.now {
              state.sleepers.append(Sleeper(due: due, continuation: continuation))
            }
            return due <= state.now
          }
          if isDue { continuation.resume() }
        }
      })
  }

  /// Wakes who was to sleep until then.
  func advance(milliseconds: Int64) {
    let due = state.withLock { state in
      state.now += milliseconds * 1000
      defer { state.sleepers.removeAll { $0.due <= state.now } }
      return state.sleepers.filter { $0.due <= state.now }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
