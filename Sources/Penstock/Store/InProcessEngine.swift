internal import Synchronization

/// Runs an application in one process: reducers, effects and timers, first in, first out.
final class InProcessEngine<App: PenstockApp>: StoreEngine {
  typealias State = App.Root.State

  private let application: Application<App>
  private let clock: StoreClock
  private let seed: UInt64
  private let dependencies: DependencyValues
  private let core: Mutex<StoreCore<App>>

  init(
    _ application: Application<App>, clock: StoreClock, dependencies: DependencyValues,
    seed: UInt64, checksPurity: Bool
  ) {
    self.application = application
    self.clock = clock
    self.seed = seed
    self.dependencies = dependencies
    core = Mutex(StoreCore(application, now: clock.now(), seed: seed, checksPurity))
  }

  deinit { core.withLock { core in core.tasks.values.forEach { $0.cancel() } } }

  var state: State { core.withLock(\.replay.state) }
  var diagnostics: [String] { core.withLock(\.diagnostics) }
  var order: [OrderRecord] { core.withLock(\.order) }
  func effectsInFlight() -> Int { core.withLock(\.replay.living.count) }

  func send(_ path: Path, _ payload: Bytes, setting field: String?) -> StoreTask {
    let isReentrant = StoreNotification.isRunning
    let sequence = process { core in
      if isReentrant { core.diagnostics.append(StoreNotification.reentrancy(path)) }
      return core.enqueueClient(path, payload)
    }
    return StoreTask(
      committed: { sequence },
      finish: { [weak self] in try await self?.settle(sequence) },
      cancel: { [weak self] extent in self?.cancelEffects(of: sequence, extent) })
  }

  func note(_ sentence: String) { core.withLock { $0.diagnostics.append(sentence) } }

  func observe(_ body: @escaping @Sendable (Result<State, StoreError>) -> Void) -> UInt64 {
    process { core in core.observers.add(body, current: .success(core.replay.state)) }
  }

  func stopObserving(_ id: UInt64) { core.withLock { $0.observers.remove(id) } }

  func settle() async throws { try await wait { $0.replay.living.isEmpty } }

  private func settle(_ correlation: UInt64) async throws {
    try await wait { core in core.replay.living.values.allSatisfy { $0.correlation != correlation }
    }
  }

  /// - Throws: `CancellationError` when the task that waits is cancelled.
  private func wait(_ isOver: @escaping @Sendable (StoreCore<App>) -> Bool) async throws {
    let promise = Promise<Void>()
    process { core in core.waiters.append((isOver, promise)) }
    try await promise.value()
  }

  private func cancelEffects(of sequence: UInt64, _ extent: StoreTask.Extent) {
    process { core in core.enqueueEnds(of: sequence, extent) }
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
    for waiter in work.finished { waiter.fulfil(.success(())) }
    notify()
    return result
  }

  private func notify() {
    while let (event, bodies) = core.withLock({ $0.observers.next() }) {
      StoreNotification.$isRunning.withValue(true) {
        for body in bodies { body(event) }
      }
      core.withLock { $0.observers.told() }
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

/// Whether an observer is being told of a state, and what is said of one that sends then.
package enum StoreNotification {
  @TaskLocal package static var isRunning = false

  package static func reentrancy(_ path: Path) -> String {
    """
    An observer sent an action to \(path) while it was told of a state. The other observers see a \
    state that is old already: send actions from where something happens, not from observers.
    """
  }
}
