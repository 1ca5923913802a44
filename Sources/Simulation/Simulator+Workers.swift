import Machines
import PenstockCore
import Wire

/// An operation that runs at a worker.
struct SimulatedOperation {
  var attempt: Attempt
  var outcome: SimulatedOutcome
  var policy: EffectPolicy
  /// Outputs that were there before this attempt.
  var skipped: Int
  /// This attempt fails, and may be retried, before this step.
  var failsAt: Int?
  var hangs = false
}

extension Simulator {
  func startWorker(_ index: Int) {
    guard case .hello(let hello) = hello(of: index) else { return }
    peers[index].worker = WorkerHost(hello: hello)
    workerLinkRestarted(index)
  }

  func workerLinkRestarted(_ index: Int) { perform(index, peers[index].worker!.linkStarted()) }

  func workerReceived(_ index: Int, _ message: Message) {
    if case .refused(let refusal) = message { return peerRefused(index, refusal) }
    perform(index, peers[index].worker!.received(message))
    if peers[index].isAlive, strikes(.drain) { drain(index) }
  }

  /// The worker takes nothing new, and ends after a while.
  private func drain(_ index: Int) {
    perform(index, peers[index].worker!.drain())
    guard peers[index].isAlive else { return }
    queue.add(
      .endDraining(peer: index, life: peers[index].life), at: now + faultTime(1_000...300_000))
  }

  func endDraining(_ index: Int) {
    guard peers[index].isAlive, let worker = peers[index].worker else { return }
    if worker.isIdle { return killPeer(index) }
    perform(index, peers[index].worker!.handBack())
    guard peers[index].isAlive else { return }
    pollPeer(index)
    queue.add(.endDraining(peer: index, life: peers[index].life), at: now + 500_000)
  }

  private func perform(_ index: Int, _ outputs: [WorkerHostOutput]) {
    for output in outputs {
      if strikes(.workerKill) { return killPeer(index) }
      switch output {
      case .send(let message): send(message, from: index)
      case .run(let assignment): run(assignment, at: index)
      case .cancel(let effect, _): peers[index].operations[effect] = nil
      }
    }
  }

  /// The same effect yields the same outputs in each attempt.
  func outcome(of effect: EffectID, _ operation: String, _ input: Bytes) -> SimulatedOutcome {
    var outcomes = SeededGenerator(seed: hash(effect))
    return application.outcome(of: operation, input: input, using: &outcomes)
  }

  private func hash(_ effect: EffectID) -> UInt64 {
    var hash = options.seed &+ effect.sequence &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(effect.index)
    for unit in effect.path.description.utf8 {
      hash = (hash ^ UInt64(unit)) &* 0x0000_0100_0000_01B3
    }
    return hash
  }

  /// An operation is a list of outputs, each some time after the one before.
  private func run(_ assignment: Assignment, at index: Int) {
    let effect = assignment.effect
    var outcome = outcome(of: effect, assignment.operation, assignment.input)
    let skipped = min(Int(assignment.nextIndex), outcome.outputs.count)
    outcome.outputs.removeFirst(skipped)
    var operation = SimulatedOperation(
      attempt: assignment.attempt, outcome: outcome, policy: assignment.policy, skipped: skipped)
    if assignment.policy.maximumAttempts > 1, strikes(.attemptFailure) {
      operation.failsAt = Int(faultTime(0...Int64(outcome.outputs.count)))
    }
    let policy = assignment.policy
    if (policy.timeout ?? policy.heartbeatTimeout) != nil, strikes(.hang) {
      operation.hangs = true
    }
    peers[index].operations[effect] = operation
    if peers[index].operations.count > SimulatedPeer.slots {
      fail(
        .queuesAreBounded,
        "\(name(of: index)) was given \(peers[index].operations.count) effects for "
          + "\(SimulatedPeer.slots) slots")
    }
    scheduleStep(index, effect, assignment.attempt, 0)
  }

  private func scheduleStep(_ index: Int, _ effect: EffectID, _ attempt: Attempt, _ step: Int) {
    guard peers[index].operations[effect]?.hangs == false else { return }
    let duration =
      generator.happens(300_000)
      ? Int64.random(in: 50_000...800_000, using: &generator)
      : Int64.random(in: 100...20_000, using: &generator)
    queue.add(
      .effectStep(
        peer: index, life: peers[index].life, effect: effect, attempt: attempt, step: step),
      at: now + duration)
  }

  func effectStepped(_ index: Int, _ effect: EffectID, _ attempt: Attempt, _ step: Int) {
    guard peers[index].isAlive, let operation = peers[index].operations[effect],
      operation.attempt == attempt
    else { return }
    if strikes(.workerStop) {
      peers[index].stoppedUntil = now + faultTime(500_000...3_000_000)
      queue.add(
        .effectStep(
          peer: index, life: peers[index].life, effect: effect, attempt: attempt, step: step),
        at: now)
      return
    }
    let outcome = operation.outcome
    let life = peers[index].life
    var result: EffectResult?
    if operation.failsAt == step {
      result = .failed(
        code: SimulatedOutcome.retryable, message: "this attempt fails", isRetryable: true)
    } else if step >= outcome.outputs.count {
      result =
        outcome.fails
        ? .failed(code: "error", message: "simulated", isRetryable: false) : .finished
    }
    if let result {
      peers[index].operations[effect] = nil
      perform(index, peers[index].worker!.ended(effect, attempt, result))
    } else {
      let isFinal = outcome.isSingle && !outcome.fails
      if operation.failsAt == step + 1, strikes(.slowDisk) {
        // The next attempt begins behind an output that no journal holds yet.
        diskIsSlowUntil = now + faultTime(20_000...200_000)
      }
      if !isFinal, operation.policy.heartbeatTimeout != nil {
        // The cursor says how many outputs were made.
        let cursor = Array("\(operation.skipped + step)".utf8)
        perform(index, peers[index].worker!.heartbeat(effect, attempt, cursor: cursor))
        guard peers[index].life == life else { return }
      }
      perform(
        index,
        peers[index].worker!.produced(effect, attempt, outcome.outputs[step], isFinal: isFinal))
      guard peers[index].life == life else { return }
      if isFinal {
        peers[index].operations[effect] = nil
      } else {
        scheduleStep(index, effect, attempt, step + 1)
      }
    }
    guard peers[index].life == life else { return }
    pollPeer(index)
  }
}
