package import PenstockCore
import Wire

// MARK: What the router says of effects

extension EffectScheduler {
  /// The action that started the effect is committed, or the effect was found alive at a restart.
  /// - Parameters:
  ///   - nextIndex: the outputs below it are in the order, and durable.
  ///   - onTheWay: what the router has of it besides, without having applied it.
  ///   - cursor: of the last heartbeat that is known.
  package mutating func start(
    _ id: EffectID, _ start: EffectStart, nextIndex: UInt32,
    onTheWay: OutputsOnTheWay? = nil, cursor: Bytes, at clock: ClockReading
  ) {
    advance(clock)
    guard effects[id] == nil, case .operation(let name, let input, _, let policy) = start.kind
    else { return }
    count += 1
    var effect = Effect(
      number: count, name: name, input: input, policy: policy,
      nextIndex: max(nextIndex, onTheWay?.nextIndex ?? 0),
      durableIndex: nextIndex, cursor: cursor, since: clock.wall)
    let claim = claims.removeValue(forKey: id)
    if onTheWay?.isEnding ?? false {
      // Nobody has to run it any more.
      rare.reach(.endingOnTheWay)
      effect.state = .over(nil)
      effects[id] = effect
      if let claim { refuse(id, claim.attempt, claim.peer) }
      return
    }
    if let claim {
      adopt(id, &effect, claim.peer, claim.attempt)
      return
    }
    guard waiting < Self.waitingLimit else {
      effect.state = .over(nil)
      effects[id] = effect
      let message = "\(waiting) operations wait for a worker, the limit is \(Self.waitingLimit)"
      fail(id, EffectFailure.queueFull, message)
      return
    }
    effects[id] = effect
    waiting += 1
    queue.append(id, number: effect.number, effect.kind)
    note(id, .queued)
    dispatch()
  }

  /// The effect is over in the order: cancelled, unmounted, or ended.
  package mutating func cancel(_ id: EffectID, at clock: ClockReading) {
    advance(clock)
    guard let effect = effects[id] else { return }
    switch effect.state {
    case .running(let peer):
      if let attempt = effect.attempt {
        outputs.append(.send(peer, .cancelEffect(effect: id, attempt: attempt)))
      }
      note(id, .cancelled)
    case .queued:
      waiting -= 1
      note(id, .cancelled)
    case .backingOff: note(id, .cancelled)
    case .over(let peer):
      // Refused rather than cancelled: it ended, and the end was void.
      if let peer, let attempt = effect.attempt {
        outputs.append(.send(peer, .attemptRefused(effect: id, attempt: attempt)))
      }
    }
    release(id)
    effects[id] = nil
    dispatch()
  }

  /// The record of this output, or of the end, is durable.
  /// - Parameter index: `max` for an end.
  package mutating func accepted(_ id: EffectID, index: UInt32, at clock: ClockReading) {
    advance(clock)
    guard let effect = effects[id] else { return }
    effects[id]?.durableIndex = max(effect.durableIndex, index == .max ? index : index + 1)
    guard let attempt = effect.attempt else { return }
    switch effect.state {
    case .running(let peer), .over(let peer?):
      outputs.append(
        .send(peer, .outputAccepted(effect: id, attempt: attempt, index: index)))
      if let end = effect.endIndex, index >= end { effects[id]?.state = .over(nil) }
    case .queued, .backingOff, .over(nil): break
    }
  }

  package mutating func tick(at clock: ClockReading) {
    advance(clock)
    endHoldingIfDue()
    while let id = heap.take(now: clock.monotonic) {
      guard let effect = effects[id] else { continue }
      effects[id]?.heapDue = .max
      guard let due = effect.due else { continue }
      if due > clock.monotonic { watch(id) } else { expire(id, effect) }
    }
    dispatch()
  }

  private mutating func expire(_ id: EffectID, _ effect: Effect) {
    switch effect.state {
    case .backingOff: requeue(id)
    case .running(let peer):
      if let attempt = effect.attempt {
        outputs.append(.send(peer, .cancelEffect(effect: id, attempt: attempt)))
      }
      release(id)
      let isTimeout = effect.policy.timeout.map {
        effect.assignedAt.adding($0) <= clock.monotonic
      }
      rare.reach(isTimeout ?? false ? .attemptTimedOut : .heartbeatTimedOut)
      if isTimeout ?? false {
        attemptFailed(
          id, EffectFailure.timeout, "not done after \(seconds(effect.policy.timeout))")
      } else {
        attemptFailed(
          id, EffectFailure.heartbeatTimeout,
          "no heartbeat for \(seconds(effect.policy.heartbeatTimeout))")
      }
    case .queued, .over: break
    }
  }

  private func seconds(_ time: Int64?) -> String {
    let milliseconds = (time ?? 0) / 1_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }
}

// MARK: Attempts

extension EffectScheduler {
  /// Hands out what can be handed out.
  mutating func dispatch() {
    guard waiting > 0, !isHolding, hasFreeSlot else { return }
    for kind in queue.kinds(where: isQueued) {
      while let id = queue.first(kind, where: isQueued), let peer = worker(for: kind) {
        queue.removeFirst(kind)
        assign(id, to: peer)
      }
    }
  }

  private var hasFreeSlot: Bool { workers.values.contains(where: isFree) }

  private func isFree(_ worker: Worker) -> Bool {
    !worker.isDraining && worker.running.count < Int(worker.slots)
  }

  private func isQueued(_ id: EffectID) -> Bool { effects[id]?.state == .queued }

  private func worker(for kind: OperationQueue.Kind) -> PeerID? {
    workers.filter { _, worker in
      isFree(worker) && worker.serves(kind)
    }.min { left, right in
      let (first, second) = (left.value, right.value)
      let loads = (
        first.running.count * Int(second.slots), second.running.count * Int(first.slots)
      )
      if loads.0 != loads.1 { return loads.0 < loads.1 }
      return (first.lastAssigned, left.key) < (second.lastAssigned, right.key)
    }?.key
  }

  private mutating func assign(_ id: EffectID, to peer: PeerID) {
    guard var effect = effects[id] else { return }
    let attempt = nextAttempt(effect)
    waiting -= 1
    effect.state = .running(peer)
    effect.attempt = attempt
    effect.isLost = false
    effect.tries += 1
    run(id, &effect, on: peer)
    outputs.append(
      .send(
        peer,
        .assign(
          Assignment(
            effect: id, attempt: attempt, operation: effect.name, input: effect.input,
            policy: effect.policy, nextIndex: effect.nextIndex, cursor: effect.cursor))))
    note(id, .started)
  }

  private func nextAttempt(_ effect: Effect) -> Attempt {
    guard let last = effect.attempt, last.start == startNumber else {
      return Attempt(start: startNumber, number: 1)
    }
    return Attempt(start: startNumber, number: last.number + 1)
  }

  /// The worker still runs the attempt; it resends what was not accepted.
  mutating func adopt(
    _ id: EffectID, _ effect: inout Effect, _ peer: PeerID, _ attempt: Attempt
  ) {
    rare.reach(.attemptAdopted)
    effect.state = .running(peer)
    if effect.isLost {
      // Its worker was not lost: only the link was.
      effect.isLost = false
      effect.tries += 1
      effect.losses -= 1
    } else {
      effect.attempt = attempt
      effect.tries = max(effect.tries, attempt.number)
    }
    run(id, &effect, on: peer)
    note(id, .started, "goes on after a restart")
  }

  private mutating func run(_ id: EffectID, _ effect: inout Effect, on peer: PeerID) {
    count += 1
    effect.assignedAt = clock.monotonic
    effect.heardAt = clock.monotonic
    effect.since = clock.wall
    workers[peer]?.running.insert(id)
    workers[peer]?.lastAssigned = count
    effects[id] = effect
    watch(id)
  }

  /// The effect does not use its worker's slot any more.
  mutating func release(_ id: EffectID) {
    if faults.leaksWorkerSlots { return }
    if case .running(let peer)? = effects[id]?.state { workers[peer]?.running.remove(id) }
  }

  /// The attempt is over, the effect may not be.
  mutating func attemptFailed(
    _ id: EffectID, _ code: String, _ message: String, isRetryable: Bool = true
  ) {
    guard let effect = effects[id] else { return }
    guard isRetryable,
      effect.tries < effect.policy.maximumAttempts || faults.retriesForever
    else {
      let holder = peer(of: effect)
      effects[id]?.state = .over(holder)
      fail(id, code, message)
      return
    }
    rare.reach(.attemptRetried)
    note(id, .retried, "\(code): \(message)")
    let pause = backoff(effect)
    let until = clock.monotonic.adding(pause)
    effects[id]?.state = .backingOff(until: until)
    effects[id]?.since = clock.wall
    watch(id)
  }

  func peer(of effect: Effect) -> PeerID? {
    if case .running(let peer) = effect.state { return peer }
    return nil
  }

  private func backoff(_ effect: Effect) -> Int64 {
    var pause = max(0, effect.policy.initialBackoff)
    let most = max(pause, effect.policy.maximumBackoff)
    for _ in 1..<max(1, effect.tries) {
      guard pause < most / 2 else { return most }
      pause *= 2
    }
    return pause
  }

  mutating func requeue(_ id: EffectID) {
    guard let effect = effects[id] else { return }
    effects[id]?.state = .queued
    effects[id]?.since = clock.wall
    waiting += 1
    queue.putBack(id, number: effect.number, effect.kind)
    note(id, .queued)
  }

  mutating func fail(_ id: EffectID, _ code: String, _ message: String) {
    guard let index = effects[id]?.nextIndex else { return }
    rare.reach(.attemptsExhausted)
    effects[id]?.endIndex = index
    note(id, .failed, "\(code): \(message)")
    outputs.append(.produced(.failed(id, index: index, code: code, message: message)))
  }

  /// Puts the effect into the heap, unless it stands there early enough.
  mutating func watch(_ id: EffectID) {
    guard let effect = effects[id], let due = effect.due, due < effect.heapDue else { return }
    effects[id]?.heapDue = due
    heap.add(id, due: due)
  }

  mutating func note(_ id: EffectID, _ state: TapRecord.EffectTap.State, _ message: String = "") {
    guard isTapped, let effect = effects[id] else { return }
    let worker = peer(of: effect).flatMap { workers[$0]?.name } ?? ""
    let attempt = effect.attempt ?? Attempt(start: startNumber, number: 0)
    outputs.append(
      .tap(
        TapRecord.EffectTap(
          effect: id, operation: effect.name, state: state, worker: worker, attempt: attempt,
          now: clock.wall, message: message)))
  }
}
