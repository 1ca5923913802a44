import Penstock
import Synchronization

extension StoreClock {
  /// A clock whose sleeps end at once, each at the time until which it lasted.
  static var running: StoreClock {
    let time = ManualTime()
    return StoreClock(
      now: { time.now },
      sleep: { due in
        try Task.checkCancellation()
        time.reach(due)
      })
  }
}

private final class ManualTime: Sendable {
  private let value = Mutex<Int64>(0)
  var now: Int64 { value.withLock { $0 } }
  func reach(_ due: Int64) { value.withLock { $0 = max($0, due) } }
}
