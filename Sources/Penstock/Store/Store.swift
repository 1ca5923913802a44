internal import Synchronization

/// Runs an application in one process: reducers, effects and timers, first in, first out.
///
/// It keeps the order of all that happened, which `replay` takes apart again. Sending is
/// synchronous: when `send` returns, the action and all it sent are reduced.
public final class Store<App: PenstockApp>: Sendable {
  public typealias State = App.Root.State
  public typealias Action = App.Root.Action

  let application: Application<App>
  private let clock: StoreClock
  private let seed: UInt64
  private let dependencies: DependencyValues
  private let core: Mutex<StoreCore<App>>

  /// - Parameters:
  ///   - dependencies: what operations reach through their context.
  ///   - checksPurity: whether everything is reduced twice, the second time on a decoded state.
  public init(
    _ app: App, clock: StoreClock, dependencies: DependencyValues = DependencyValues(),
    seed: UInt64 = 0, checksPurity: Bool = false
  ) {
    application = Application(app)
    self.clock = clock
    self.seed = seed
    self.dependencies = dependencies
    core = Mutex(StoreCore(application, now: clock.now(), seed: seed, checksPurity))
  }

  deinit { core.withLock { core in core.tasks.values.forEach { $0.cancel() } } }

  public var state: State { core.withLock(\.replay.state) }

  /// Sentences about what was probably not meant: actions of absent children, lost failures.
  public var diagnostics: [String] { core.withLock(\.diagnostics) }

  /// How many effects and timers are alive.
  public var effectsInFlight: Int { core.withLock(\.replay.living.count) }

  /// The records so far, from the initial state on (R1).
  package var order: [OrderRecord] { core.withLock(\.order) }

  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    let (path, payload) = application.address(action)
    let isReentrant = StoreNotification.isRunning
    let correlation = process { core in
      if isReentrant { core.diagnostics.append(StoreNotification.reentrancy(path)) }
      return core.enqueueClient(path, payload)
    }
    return StoreTask(
      finish: { [weak self] in await self?.settle(correlation) },
      cancel: { [weak self] in self?.cancelEffects(of: correlation) })
  }

  /// Calls the body with the state now and after each change; once for all that follows from one
  /// send.
  public func observe(_ body: @escaping @Sendable (State) -> Void) {
    process { core in
      core.observers.append(body)
      core.notifications.append((core.replay.state, core.observers.count - 1))
    }
  }

  /// Returns when no effect and no timer is alive.
  public func settle() async { await wait { $0.replay.living.isEmpty } }

  private func settle(_ correlation: UInt64) async {
    await wait { core in core.replay.living.values.allSatisfy { $0.correlation != correlation } }
  }

  /// Returns as soon as the state fulfils the condition.
  package func wait(until condition: @escaping @Sendable (State) -> Bool) async {
    await wait { condition($0.replay.state) }
  }

  private func wait(_ isOver: @escaping @Sendable (StoreCore<App>) -> Bool) async {
    await withCheckedContinuation { continuation in
      process { core in core.waiters.append((isOver, continuation)) }
    }
  }

  private func cancelEffects(of sequence: UInt64) {
    process { core in core.enqueueEnds(of: sequence) }
  }

  // MARK: Working

  /// Changes the queue, drains it, and then does outside of the lock what follows.
  @discardableResult
  private func process<Result: Sendable>(_ body: (inout StoreCore<App>) -> Result) -> Result {
    let now = clock.now()
    let (result, work) = core.withLock { core in
      let result = body(&core)
      return (result, core.drain(now: now, seed: seed))
    }
    for effect in work.ended { effect.cancel() }
    for (id, effect) in work.started { start(id, effect) }
    for waiter in work.finished { waiter.resume() }
    notify()
    return result
  }

  private func notify() {
    while let (state, observers) = core.withLock({ $0.nextNotification() }) {
      StoreNotification.$isRunning.withValue(true) {
        for observer in observers { observer(state) }
      }
      core.withLock { $0.isNotifying = false }
    }
  }

  private func start(_ id: EffectID, _ living: OrderReplay<App>.LivingEffect) {
    let runner = EffectRunner(
      id: id, start: living.start, startedAt: living.startedAt, clock: clock,
      operations: application.operations, dependencies: dependencies,
      deliver: { [weak self] delivery in self?.process { $0.enqueue(delivery, of: id) } },
      diagnose: { [weak self] text in self?.process { $0.diagnostics.append(text) } })
    let task = Task { await runner.run() }
    let isDead = core.withLock { core in
      if core.replay.living[id] == nil { return true }
      core.tasks[id] = task
      return false
    }
    if isDead { task.cancel() }
  }
}

/// What `send` gives back: the action and everything that followed from it.
public struct StoreTask: Sendable {
  private let finishBody: @Sendable () async -> Void
  private let cancelBody: @Sendable () -> Void

  init(
    finish: @escaping @Sendable () async -> Void, cancel: @escaping @Sendable () -> Void
  ) {
    finishBody = finish
    cancelBody = cancel
  }

  /// Returns when no effect that followed from the action is alive.
  public func finish() async { await finishBody() }

  /// Ends the effects that the action itself started.
  public func cancel() { cancelBody() }
}

enum StoreNotification {
  @TaskLocal static var isRunning = false

  static func reentrancy(_ path: Path) -> String {
    """
    An observer sent an action to \(path) while it was told of a state. The other observers see a \
    state that is old already: send actions from where something happens, not from observers.
    """
  }
}
