import Machines
import PenstockCore
import Wire

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
  }

  private func perform(_ index: Int, _ outputs: [WorkerHostOutput]) {
    for output in outputs {
      if chance(odds.workerKill) { return killPeer(index) }
      switch output {
      case .send(let message): send(message, from: index)
      case .run(let assignment): run(assignment, at: index)
      case .cancel(let effect, _): peers[index].operations[effect] = nil
      }
    }
  }

  /// An operation is a list of outputs, each some time after the one before.
  private func run(_ assignment: Assignment, at index: Int) {
    var outcomes = SeededGenerator(seed: hash(assignment.effect))
    var outcome = application.outcome(
      of: assignment.operation, input: assignment.input, using: &outcomes)
    outcome.outputs.removeFirst(min(Int(assignment.nextIndex), outcome.outputs.count))
    peers[index].operations[assignment.effect] = SimulatedOperation(
      attempt: assignment.attempt, outcome: outcome)
    scheduleStep(index, assignment.effect, assignment.attempt, 0)
  }

  /// The same effect yields the same outputs in each attempt.
  private func hash(_ effect: EffectID) -> UInt64 {
    var hash = options.seed &+ effect.sequence &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(effect.index)
    for unit in effect.path.description.utf8 {
      hash = (hash ^ UInt64(unit)) &* 0x0000_0100_0000_01B3
    }
    return hash
  }

  private func scheduleStep(_ index: Int, _ effect: EffectID, _ attempt: Attempt, _ step: Int) {
    let duration =
      generator.happens(100_000)
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
    let outcome = operation.outcome
    let life = peers[index].life
    if step < outcome.outputs.count {
      let isFinal = outcome.isSingle && !outcome.fails
      perform(
        index,
        peers[index].worker!.produced(effect, attempt, outcome.outputs[step], isFinal: isFinal))
      guard peers[index].life == life else { return }
      if isFinal {
        peers[index].operations[effect] = nil
      } else {
        scheduleStep(index, effect, attempt, step + 1)
      }
    } else {
      peers[index].operations[effect] = nil
      let result: EffectResult =
        outcome.fails
        ? .failed(code: "error", message: "simulated", isRetryable: false) : .finished
      perform(index, peers[index].worker!.ended(effect, attempt, result))
      guard peers[index].life == life else { return }
    }
    pollPeer(index)
  }
}

struct SimulatedOperation {
  var attempt: Attempt
  var outcome: SimulatedOutcome
}
