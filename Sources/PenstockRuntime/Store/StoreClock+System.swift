public import Penstock
import Platform

extension StoreClock {
  /// The system's wall clock.
  public static let system = StoreClock(
    now: { SystemClock.wall },
    sleep: { due in
      let now = SystemClock.wall
      if due > now { try await Task.sleep(for: .microseconds(due - now)) }
    })
}

extension Store {
  /// A store in the system's time.
  public convenience init(
    _ app: App, dependencies: DependencyValues = DependencyValues(), checksPurity: Bool = false
  ) {
    self.init(
      app, clock: .system, dependencies: dependencies, seed: UInt64.random(in: .min ... .max),
      checksPurity: checksPurity)
  }
}
