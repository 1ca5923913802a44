import PenstockCore
package import Wire

// MARK: What workers say

extension EffectScheduler {
  /// Whether a worker that is here runs the operation.
  package func isServed(_ operation: String) -> Bool {
    workers.values.contains { $0.operations?.contains(operation) ?? true }
  }

  package mutating func workerJoined(_ peer: PeerID, _ hello: Hello, at clock: ClockReading) {
    advance(clock)
    let description = try? JSONReader.decode(
      ApplicationDescription.self, from: hello.description)
    workers[peer] = Worker(
      name: hello.name, queues: Set(hello.queues),
      operations: description.map { Set($0.operations) }, slots: hello.slots, since: clock.wall)
    for running in hello.running { claim(running.effect, running.attempt, peer) }
    endHoldingIfDue()
    dispatch()
  }

  private mutating func claim(_ id: EffectID, _ attempt: Attempt, _ peer: PeerID) {
    guard var effect = effects[id] else {
      guard isHolding, claims[id].map({ $0.attempt < attempt }) ?? true else {
        return refuse(id, attempt, peer)
      }
      if let older = claims[id] { refuse(id, older.attempt, older.peer) }
      rare.reach(.claimWaits)
      claims[id] = (peer, attempt)
      return
    }
    // Queued, and nothing newer was started: the attempt goes on where it is.
    guard effect.state == .queued,
      effect.attempt.map({ $0 == attempt && effect.isLost }) ?? isHolding
    else {
      return refuse(id, attempt, peer)
    }
    waiting -= 1
    adopt(id, &effect, peer, attempt)
  }

  /// The worker is gone; what it ran goes to another one.
  package mutating func workerLost(_ peer: PeerID, at clock: ClockReading) {
    advance(clock)
    guard let worker = workers.removeValue(forKey: peer) else { return }
    for id in claims.filter({ $0.value.peer == peer }).keys { claims[id] = nil }
    if !worker.running.isEmpty { rare.reach(.workerLostRunning) }
    for id in worker.running.sorted() {
      effects[id]?.losses += 1
      // A lost worker says nothing about the operation: it does not count as a try.
      uncount(id)
      if let losses = effects[id]?.losses, losses >= Self.lossLimit {
        effects[id]?.state = .over(nil)
        fail(
          id, EffectFailure.workerLost, "\(losses) workers were lost while they ran the operation")
      } else {
        note(id, .retried, "its worker was lost")
        effects[id]?.isLost = true
        requeue(id)
      }
    }
    for (id, effect) in effects where effect.state == .over(peer) {
      effects[id]?.state = .over(nil)
    }
    dispatch()
  }

  package mutating func received(_ peer: PeerID, _ message: Message, at clock: ClockReading) {
    advance(clock)
    switch message {
    case .output(let output): produced(peer, output)
    case .effectEnded(let id, let attempt, let index, let result):
      ended(peer, id, attempt, index, result)
    case .heartbeat(let id, let attempt, let cursor):
      guard isCurrent(id, attempt, peer) else { return refuse(id, attempt, peer) }
      if !faults.losesCursors { effects[id]?.cursor = cursor }
      effects[id]?.heardAt = clock.monotonic
    case .draining: workers[peer]?.isDraining = true
    default: break
    }
    dispatch()
  }

  private mutating func produced(_ peer: PeerID, _ output: WorkerOutput) {
    let id = output.effect
    if faults.appliesLateResultsToSuccessors, effects[id] == nil {
      return produceForSuccessor(output)
    }
    guard let effect = effects[id], isCurrent(id, output.attempt, peer) else {
      return refuse(id, output.attempt, peer)
    }
    effects[id]?.heardAt = clock.monotonic
    guard output.index >= effect.nextIndex || faults.entersOutputsTwice else {
      rare.reach(.outputRepeated)
      if output.index < effect.durableIndex {
        outputs.append(
          .send(
            peer,
            .outputAccepted(effect: id, attempt: output.attempt, index: output.index)))
      }
      return
    }
    guard case .running = effect.state else { return }
    guard output.index == effect.nextIndex || faults.entersOutputsTwice else {
      return beginAgain(id, output.attempt, peer)
    }
    if faults.acceptsOutputsBeforeDurable {
      outputs.append(
        .send(peer, .outputAccepted(effect: id, attempt: output.attempt, index: output.index)))
    }
    effects[id]?.nextIndex += 1
    workers[peer]?.outputs += 1
    outputs.append(
      .produced(
        .output(id, index: output.index, isFinal: output.isFinal, value: output.value)))
    note(id, output.isFinal ? .done : .output)
    if output.isFinal { finish(id, peer, at: output.index) }
  }

  /// Only under a planted fault.
  private mutating func produceForSuccessor(_ output: WorkerOutput) {
    let heir = effects.filter {
      guard case .running = $0.value.state else { return false }
      return $0.key.path == output.effect.path
    }.keys.min()
    guard let heir, let index = effects[heir]?.nextIndex else { return }
    effects[heir]?.nextIndex += 1
    outputs.append(
      .produced(.output(heir, index: index, isFinal: output.isFinal, value: output.value)))
  }

  private mutating func ended(
    _ peer: PeerID, _ id: EffectID, _ attempt: Attempt, _ index: UInt32, _ result: EffectResult
  ) {
    guard let effect = effects[id], isCurrent(id, attempt, peer) else {
      return refuse(id, attempt, peer)
    }
    guard case .running = effect.state else { return }
    guard index <= effect.nextIndex else { return beginAgain(id, attempt, peer) }
    switch result {
    case .finished, .cancelled:
      note(id, result == .cancelled ? .cancelled : .done)
      finish(id, peer, at: .max)
      outputs.append(.produced(.finished(id)))
    case .failed(let code, let message, let isRetryable):
      release(id)
      attemptFailed(id, code, message, isRetryable: isRetryable)
    case .handedBack:
      rare.reach(.handedBack)
      note(id, .retried, "handed back")
      release(id)
      uncount(id)
      requeue(id)
    }
    // What goes on elsewhere needs nothing of the old attempt.
    if case .over? = effects[id]?.state { return }
    outputs.append(.send(peer, .outputAccepted(effect: id, attempt: attempt, index: index)))
  }

  /// The attempt does not count against the policy.
  private mutating func uncount(_ id: EffectID) {
    if let tries = effects[id]?.tries, tries > 0 { effects[id]?.tries = tries - 1 }
  }

  private mutating func finish(_ id: EffectID, _ peer: PeerID, at index: UInt32) {
    release(id)
    effects[id]?.endIndex = index
    effects[id]?.state = .over(peer)
    effects[id]?.since = clock.wall
  }

  /// The attempt was told to leave out outputs that an earlier router had numbered and then lost. It
  /// can't give them any more; another attempt can.
  private mutating func beginAgain(_ id: EffectID, _ attempt: Attempt, _ peer: PeerID) {
    rare.reach(.attemptBeginsAgain)
    refuse(id, attempt, peer)
    release(id)
    uncount(id)
    requeue(id)
  }

  private func isCurrent(_ id: EffectID, _ attempt: Attempt, _ peer: PeerID) -> Bool {
    guard let effect = effects[id] else { return false }
    if faults.acceptsSupersededAttempts, case .running = effect.state { return true }
    guard effect.attempt == attempt else { return false }
    switch effect.state {
    case .running(let holder), .over(let holder?): return holder == peer
    case .queued, .backingOff, .over(nil): return false
    }
  }

  mutating func refuse(_ id: EffectID, _ attempt: Attempt, _ peer: PeerID) {
    rare.reach(.attemptRefused)
    if isTapped {
      let name = effects[id]?.name ?? ""
      outputs.append(
        .tap(
          TapRecord.EffectTap(
            effect: id, operation: name, state: .stale, worker: workers[peer]?.name ?? "",
            attempt: attempt, now: clock.wall)))
    }
    outputs.append(.send(peer, .attemptRefused(effect: id, attempt: attempt)))
  }
}
