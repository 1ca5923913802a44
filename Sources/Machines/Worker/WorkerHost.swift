package import PenstockCore
package import Wire

/// A worker without its socket and tasks: keeps each output until the router has it durably.
package struct WorkerHost: Sendable {
  private struct Held: Sendable {
    var assignment: Assignment
    var nextIndex: UInt32
    /// Outputs that are not accepted, in order of their index.
    var outputs: [WorkerOutput] = []
    var ending: (index: UInt32, result: EffectResult)?
    var isRunning = true
  }

  private let hello: Hello
  private var effects: [EffectID: Held] = [:]
  private var isWelcome = false
  package private(set) var isDraining = false

  package init(hello: Hello) { self.hello = hello }

  /// Operations that run now.
  package var running: Int { effects.values.count { $0.isRunning } }
  /// Nothing runs, and nothing waits for the router's word.
  package var isIdle: Bool { effects.isEmpty }

  // MARK: The link's side

  /// A link began, the first or a later one.
  package mutating func linkStarted() -> [WorkerHostOutput] {
    isWelcome = false
    var hello = hello
    hello.running = effects.sorted { $0.key < $1.key }.map {
      RunningEffect(effect: $0.key, attempt: $0.value.assignment.attempt)
    }
    return [.send(.hello(hello))]
  }

  package mutating func received(_ message: Message) -> [WorkerHostOutput] {
    switch message {
    case .welcome:
      isWelcome = true
      return (isDraining ? [.send(.draining)] : []) + resendAll()
    case .assign(let assignment): return assigned(assignment)
    case .cancelEffect(let effect, let attempt), .attemptRefused(let effect, let attempt):
      return cancelled(effect, attempt)
    case .outputAccepted(let effect, let attempt, let index):
      accepted(effect, attempt, index)
      return []
    default: return []
    }
  }

  private func resendAll() -> [WorkerHostOutput] {
    effects.sorted { $0.key < $1.key }.flatMap { id, held -> [WorkerHostOutput] in
      held.outputs.map { .send(.output($0)) } + endMessages(id, held)
    }
  }

  private func endMessages(_ id: EffectID, _ held: Held) -> [WorkerHostOutput] {
    guard let ending = held.ending else { return [] }
    return [
      .send(
        .effectEnded(
          effect: id, attempt: held.assignment.attempt, index: ending.index,
          result: ending.result))
    ]
  }

  private mutating func assigned(_ assignment: Assignment) -> [WorkerHostOutput] {
    var outputs: [WorkerHostOutput] = []
    if let held = effects[assignment.effect] {
      guard held.assignment.attempt < assignment.attempt else { return [] }
      if held.isRunning { outputs.append(.cancel(assignment.effect, held.assignment.attempt)) }
    }
    effects[assignment.effect] = Held(assignment: assignment, nextIndex: assignment.nextIndex)
    if isDraining {
      return outputs + ended(assignment.effect, assignment.attempt, .handedBack)
    }
    return outputs + [.run(assignment)]
  }

  private mutating func cancelled(
    _ effect: EffectID, _ attempt: Attempt
  ) -> [WorkerHostOutput] {
    guard let held = effects[effect], held.assignment.attempt == attempt else { return [] }
    effects[effect] = nil
    return held.isRunning ? [.cancel(effect, attempt)] : []
  }

  private mutating func accepted(_ effect: EffectID, _ attempt: Attempt, _ index: UInt32) {
    guard var held = effects[effect], held.assignment.attempt == attempt else { return }
    let isOver =
      (held.ending.map { $0.index <= index } ?? false)
      || held.outputs.contains { $0.isFinal && $0.index <= index }
    held.outputs.removeAll { $0.index <= index }
    effects[effect] = isOver ? nil : held
  }

  // MARK: The operations' side

  package mutating func produced(
    _ effect: EffectID, _ attempt: Attempt, _ value: Bytes, isFinal: Bool
  ) -> [WorkerHostOutput] {
    guard var held = effects[effect], held.assignment.attempt == attempt, held.isRunning else {
      return []
    }
    guard value.count <= Limits.payload else {
      return tooLarge(effect, attempt, "an output of \(value.count) bytes", Limits.payload)
    }
    let output = WorkerOutput(
      effect: effect, attempt: attempt, index: held.nextIndex, isFinal: isFinal, value: value)
    held.nextIndex += 1
    held.outputs.append(output)
    if isFinal { held.isRunning = false }
    effects[effect] = held
    return isWelcome ? [.send(.output(output))] : []
  }

  package mutating func ended(
    _ effect: EffectID, _ attempt: Attempt, _ result: EffectResult
  ) -> [WorkerHostOutput] {
    guard var held = effects[effect], held.assignment.attempt == attempt, held.isRunning else {
      return []
    }
    held.isRunning = false
    held.ending = (held.nextIndex, result)
    effects[effect] = held
    return isWelcome ? endMessages(effect, held) : []
  }

  package mutating func heartbeat(
    _ effect: EffectID, _ attempt: Attempt, cursor: Bytes
  ) -> [WorkerHostOutput] {
    guard let held = effects[effect], held.assignment.attempt == attempt, held.isRunning,
      isWelcome
    else { return [] }
    guard cursor.count <= Limits.cursor else {
      return tooLarge(effect, attempt, "a cursor of \(cursor.count) bytes", Limits.cursor)
    }
    return [.send(.heartbeat(effect: effect, attempt: attempt, cursor: cursor))]
  }

  /// What no message can hold fails the effect; tried again it would be no smaller.
  private mutating func tooLarge(
    _ effect: EffectID, _ attempt: Attempt, _ what: String, _ limit: Int
  ) -> [WorkerHostOutput] {
    [.cancel(effect, attempt)]
      + ended(
        effect, attempt,
        .failed(
          code: ErrorCode.tooLarge.word, message: "\(what), at most \(limit)",
          isRetryable: false))
  }

  /// How many outputs of the effect wait for the router; an operation pauses at a bound.
  package func unaccepted(_ effect: EffectID) -> Int { effects[effect]?.outputs.count ?? 0 }

  // MARK: Stopping

  /// Takes nothing new; what runs may finish.
  package mutating func drain() -> [WorkerHostOutput] {
    guard !isDraining else { return [] }
    isDraining = true
    return isWelcome ? [.send(.draining)] : []
  }

  /// The time to finish is over: what still runs is handed back for another worker.
  package mutating func handBack() -> [WorkerHostOutput] {
    effects.sorted { $0.key < $1.key }.filter { $0.value.isRunning }.flatMap { id, held in
      [.cancel(id, held.assignment.attempt)] + ended(id, held.assignment.attempt, .handedBack)
    }
  }
}
