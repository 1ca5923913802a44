import Penstock
import PenstockCore
import Synchronization

/// Order time that stands still until a test moves it.
final class ManualClock: Sendable {
  private struct Core {
    var now: Int64 = 0
    var sleepers: [Int: (due: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func readyWatchers() -> [CheckedContinuation<Void, Never>] {
      let ready = watchers.filter { $0.count == sleepers.count }
      watchers.removeAll { $0.count == sleepers.count }
      return ready.map(\.continuation)
    }
  }

  private let core = Mutex(Core())

  var clock: StoreClock {
    StoreClock(now: { self.core.withLock(\.now) }, sleep: { try await self.sleep(until: $0) })
  }

  /// Returns when exactly this many tasks sleep.
  func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let ready = core.withLock { core in
        core.watchers.append((count, continuation))
        return core.readyWatchers()
      }
      for watcher in ready { watcher.resume() }
    }
  }

  /// Moves the time and wakes whoever slept until then.
  func advance(by duration: Duration) {
    let due = core.withLock { core in
      core.now += duration.microseconds
      let due = core.sleepers.filter { $0.value.due <= core.now }
      for id in due.keys { core.sleepers[id] = nil }
      return due.values.sorted { $0.due < $1.due }.map(\.continuation)
    }
    for sleeper in due { sleeper.resume() }
  }

  private func sleep(until due: Int64) async throws {
    let id = core.withLock { core in
      core.nextID += 1
      return core.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isOver, isCancelled, ready) = core.withLock { core in
          if core.cancelled.contains(id) { return (true, true, core.readyWatchers()) }
          if due <= core.now { return (true, false, core.readyWatchers()) }
          core.sleepers[id] = (due, continuation)
          return (false, false, core.readyWatchers())
        }
        if isCancelled {
          continuation.resume(throwing: CancellationError())
        } else if isOver {
          continuation.resume()
        }
        for watcher in ready { watcher.resume() }
      }
    } onCancel: {
      let (sleeper, ready) = core.withLock { core in
        core.cancelled.insert(id)
        let sleeper = core.sleepers.removeValue(forKey: id)
        return (sleeper?.continuation, core.readyWatchers())
      }
      sleeper?.resume(throwing: CancellationError())
      for watcher in ready { watcher.resume() }
    }
  }
}
