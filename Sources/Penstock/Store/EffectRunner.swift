internal import Synchronization

/// Runs one effect of a store: an operation with its retries, or a timer.
final class EffectRunner: Sendable {
  enum Delivery: Sendable {
    /// A whole action.
    case output(Bytes, isFinal: Bool)
    case tick(due: Int64)
    case end
  }

  let id: EffectID
  let start: EffectStart
  let startedAt: Int64
  let clock: StoreClock
  let operations: OperationRegistry
  let dependencies: DependencyValues
  let deliver: @Sendable (Delivery) -> Void
  let diagnose: @Sendable (String) -> Void
  /// How many outputs were delivered, in all attempts.
  private let delivered = Mutex<UInt32>(0)
  private let cursor = Mutex<Bytes?>(nil)

  init(
    id: EffectID, start: EffectStart, startedAt: Int64, clock: StoreClock,
    operations: OperationRegistry, dependencies: DependencyValues,
    deliver: @escaping @Sendable (Delivery) -> Void,
    diagnose: @escaping @Sendable (String) -> Void
  ) {
    self.id = id
    self.start = start
    self.startedAt = startedAt
    self.clock = clock
    self.operations = operations
    self.dependencies = dependencies
    self.deliver = deliver
    self.diagnose = diagnose
  }

  func run() async {
    switch start.kind {
    case .timer(let interval, let isRepeating, _):
      await tick(every: interval, isRepeating: isRepeating)
    case .operation(let name, let input, let output, let policy):
      await run(name, input, output, policy)
    }
  }

  /// Missed ticks collapse into one, and the phase is kept (R14).
  private func tick(every interval: Int64, isRepeating: Bool) async {
    var due = startedAt + interval
    repeat {
      do { try await clock.sleep(due) } catch { return }
      if Task.isCancelled { return }
      let missed = max(0, (clock.now() - due) / interval)
      if isRepeating { due += missed * interval }
      deliver(.tick(due: due))
      due += interval
    } while isRepeating
  }

  private func run(
    _ name: String, _ input: Bytes, _ output: OutputCase, _ policy: EffectPolicy
  ) async {
    var backoff = policy.initialBackoff
    for attempt in 1...max(1, policy.maximumAttempts) {
      do {
        try await attemptOnce(name, input, output, policy, attempt)
        if !operations.hasSingleOutput(name) { deliver(.end) }
        return
      } catch is CancellationError {
        deliver(.end)
        return
      } catch {
        if Task.isCancelled { return }
        let failure = error as? Failure ?? Failure(code: Failure.error, message: "\(error)")
        if attempt >= policy.maximumAttempts { return fail(name, output, failure) }
        do { try await clock.sleep(clock.now() + backoff) } catch { return }
        backoff = min(backoff * 2, policy.maximumBackoff)
      }
    }
  }

  private func fail(_ name: String, _ output: OutputCase, _ failure: Failure) {
    if output.isOutcome {
      let payload = JSONScan.wrap(JSONWriter.bytes(of: failure), in: output.cases + ["failure"])
      deliver(.output(payload, isFinal: true))
    } else {
      diagnose(
        """
        The operation \(name) of \(id) failed (\(failure)), and no action says so. To hear of it let \
        the case “\(output.cases.joined(separator: "."))” hold an Outcome.
        """)
      deliver(.end)
    }
  }

  /// In one process a heartbeat can't be lost, so only the time-out of the attempt counts.
  private func attemptOnce(
    _ name: String, _ input: Bytes, _ output: OutputCase, _ policy: EffectPolicy,
    _ attempt: UInt32
  ) async throws {
    let isSingle = operations.hasSingleOutput(name)
    let cases = output.cases + (output.isOutcome ? ["success"] : [])
    let deadline = policy.timeout.map { clock.now() + $0 }
    let context = OperationContext(
      effectID: id, attempt: attempt, deadline: deadline,
      nextIndex: delivered.withLock { $0 }, lastCursor: cursor.withLock { $0 },
      dependencies: dependencies,
      heartbeat: { [self] bytes in
        if let bytes { cursor.withLock { $0 = bytes } }
      })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await self.operations.run(name, input: input, context: context) { bytes in
          try Task.checkCancellation()
          self.delivered.withLock { $0 += 1 }
          self.deliver(.output(JSONScan.wrap(bytes, in: cases), isFinal: isSingle))
        }
      }
      if let deadline, let timeout = policy.timeout {
        group.addTask {
          try await self.clock.sleep(deadline)
          throw Failure(
            code: Failure.timeout, message: "\(name) took longer than \(timeout / 1_000) ms")
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}

extension Store {
  /// The oracle: what the records lead to.
  package static func replay(
    _ app: App, _ order: [OrderRecord], statesAt sequences: Set<UInt64> = []
  ) -> ReplayResult { Application(app).replay(order, statesAt: sequences) }
}
