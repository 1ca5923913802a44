import PenstockCore
import Wire

extension RouterMachine {
  /// A record is committed: its sender is told, its effects start, its readers see it.
  mutating func committed(_ committed: Committed) {
    settle(committed)
    takeFailure(committed)
    acknowledge(committed)
    for id in committed.cancelled { end(id) }
    // What earlier starts committed is started once, after recovery, if it still lives.
    if committed.record.sequence > sequencer!.recoveredThrough {
      for (id, _) in committed.started { startIfAlive(id) }
    }
    history.append(
      committed, source: source(of: committed.record.origin), latency: latency(of: committed))
    quarantine.add(committed.record)
    tapAction(committed)
  }

  private mutating func end(_ id: EffectID) {
    scheduler.cancel(id, at: clock)
    timers.cancel(id)
  }

  mutating func startIfAlive(_ id: EffectID, onTheWay: OutputsOnTheWay? = nil) {
    guard let living = sequencer!.effects[id] else { return }
    switch living.start.kind {
    case .operation:
      scheduler.start(
        id, living.start, nextIndex: living.nextIndex, onTheWay: onTheWay, cursor: [], at: clock)
    case .timer(let interval, let isRepeating, _):
      if onTheWay != nil || id.sequence <= sequencer!.recoveredThrough,
        configuration.sequencer.faults.losesTimersOnRecovery
      {
        return
      }
      timers.add(
        id, due: onTheWay?.tickDue ?? (living.lastDue ?? living.startedAt) + interval,
        interval: interval, isRepeating: isRepeating, isOut: onTheWay?.tickDue != nil)
    }
  }

  /// Tells the worker or the timer that its record is durable.
  private mutating func acknowledge(_ committed: Committed) {
    // Voided as unavailable, it waits again under its old origin: not over yet.
    guard committed.record.mark != .unavailable else { return }
    switch committed.record.origin {
    case .initial, .client, .send: return
    case .retry(let id): retried(id, committed)
    case .output(let id, let index, let isFinal):
      scheduler.accepted(id, index: index, at: clock)
      if isFinal || sequencer!.effects[id] == nil { end(id) }
    case .end(let id):
      scheduler.accepted(id, index: .max, at: clock)
      end(id)
    case .timer(let id, _):
      timers.tickRetired(id, now: sequencer!.now)
    }
  }

  /// After a restart: what lives is started, or found at the workers that still run it.
  mutating func finishRecoveryIfDone() {
    guard hasState, !isReady, !sequencer!.isRecovering,
      sequencer!.committedThrough >= sequencer!.recoveredThrough
    else { return }
    isReady = true
    let onTheWay = sequencer!.outputsOnTheWay()
    for id in sequencer!.effects.living.keys.sorted()
    where id.sequence <= sequencer!.recoveredThrough { startIfAlive(id, onTheWay: onTheWay[id]) }
    scheduler.recovered(at: clock)
    for (peer, message) in earlyReports { scheduler.received(peer, message, at: clock) }
    earlyReports = []
  }

  mutating func runTimers() {
    guard isReady else { return }
    for (id, due) in timers.due(sequencer!.now) {
      guard let living = sequencer!.effects[id], case .timer(_, _, let payload) = living.start.kind
      else { continue }
      admitInner(.timer(effect: id, due: due), id.path, payload, living.correlation)
    }
  }

  mutating func runScheduler() {
    scheduler.tick(at: clock)
    for output in scheduler.drainOutputs() {
      switch output {
      case .send(let peer, let message): send(peer, message)
      case .produced(let product): produced(product)
      case .tap(let note):
        if isTapped { outputs.append(.tap(.effect(note))) }
      }
    }
  }

  /// An output, a failure or an end from a worker enters the order.
  private mutating func produced(_ product: EffectProduct) {
    switch product {
    case .output(let id, let index, let isFinal, let value):
      guard let (living, output) = operation(id) else {
        scheduler.cancel(id, at: clock)
        return
      }
      let success = output.isOutcome ? output.cases + ["success"] : output.cases
      admitInner(
        .output(effect: id, index: index, isFinal: isFinal), id.path,
        JSONScan.wrap(value, in: success), living.correlation)
    case .failed(let id, let index, let code, let message):
      guard let (living, output) = operation(id) else {
        scheduler.cancel(id, at: clock)
        return
      }
      let failure = Self.failure(code, message, attempts: scheduler.tries(of: id))
      guard output.isOutcome else {
        // No action: the record only says why it ended.
        admitInner(
          .end(effect: id), id.path, JSONScan.wrap(failure, in: ["failure"]), living.correlation)
        return
      }
      admitInner(
        .output(effect: id, index: index, isFinal: true), id.path,
        JSONScan.wrap(failure, in: output.cases + ["failure"]), living.correlation)
    case .finished(let id):
      guard let living = sequencer?.effects[id] else { return }
      admitInner(.end(effect: id), id.path, [], living.correlation)
    }
  }

  /// As an outcome has it, and how many attempts there were: a restarted router can't count them.
  private static func failure(_ code: String, _ message: String, attempts: UInt32) -> Bytes {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("code") { $0.string(code) }
      writer.member("message") { $0.string(message) }
      if attempts > 0 { writer.member("attempts") { $0.integer(attempts) } }
    }
    return writer.bytes
  }

  private func operation(_ id: EffectID) -> (EffectRegistry.Living, OutputCase)? {
    guard let living = sequencer?.effects[id],
      case .operation(_, _, let output, _) = living.start.kind
    else { return nil }
    return (living, output)
  }

  mutating func admitInner(
    _ origin: Origin, _ path: Path, _ payload: Bytes, _ correlation: UInt64
  ) {
    var address = (path: path, payload: payload)
    var isAction = !payload.isEmpty
    if case .end = origin { isAction = false }
    if isAction,
      let canonical = sequencer!.canonical(path, payload)
    {
      address = canonical
    }
    sequencer!.admitOrWait(
      Waiting(
        origin: origin, path: address.path, payload: address.payload, correlation: correlation))
  }
}
