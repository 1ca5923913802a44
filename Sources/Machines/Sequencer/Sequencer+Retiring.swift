package import PenstockCore

extension Sequencer {
  /// Compares the head's route and its effect's life with what is true now that all before it retired.
  mutating func validateHead() {
    // The head is looked at in its place: copied out, it costs more than the look.
    while !inFlight.isEmpty, validated < retired + 1 {
      let sequence = retired + 1
      validated = sequence
      if inFlight[0].isVoid { return }
      if isHeadOfNothing {
        inFlight[0].isVoid = true
        counts.voids += 1
        if !inFlight[0].stages.isEmpty {
          rare.reach(.deadOutputSquashes)
          squash(to: sequence - 1)
          validated = sequence
        }
        return
      }
      if case .end = inFlight[0].record.origin { return }
      if inFlight[0].hasFixedRoute {
        voidHeadIfRefused()
        continue
      }
      let truth = retiredRoute(inFlight[0].record.path, inFlight[0].record.payload)
      inFlight[0].isUnmounted = truth.isUnmounted
      if truth.stages != inFlight[0].stages {
        if truth.isUnmounted { counts.unmounts += 1 }
        rare.reach(.rerouteSquashes)
        mounts.rolledBack(to: sequence - 1)
        squash(to: sequence - 1)
        validated = sequence
      }
      voidHeadIfRefused()
    }
  }

  /// Whether what the head came from is gone: its effect, or the mount of one that is tried again.
  private var isHeadOfNothing: Bool {
    let origin = inFlight[0].record.origin
    if case .retry(let effect) = origin { return !isMountUnchanged(since: effect) }
    guard let effect = origin.livingEffect, effects[effect] == nil else { return false }
    return !configuration.faults.appliesOutputsOfDeadEffects
  }

  /// Whether all that stood on the way to the effect's owner when it was started stands there still,
  /// as of the retired head (R3, R8).
  func isMountUnchanged(since effect: EffectID) -> Bool {
    topology.way(to: effect.path).dynamic.allSatisfy {
      mounts.retired[$0].map { $0.generation.sequence <= effect.sequence } ?? false
    }
  }

  /// What a stage said of the head is true: its state was that of the order.
  mutating func voidHeadIfRefused() {
    guard !inFlight.isEmpty, validated == retired + 1, !inFlight[0].isVoid,
      let refusal = inFlight[0].refusal
    else { return }
    void([retired + 1], refusal.reason)
  }

  /// Retires what has all its answers, in order.
  mutating func retireReady() -> Bool {
    var progressed = false
    while !inFlight.isEmpty, validated > retired, inFlight[0].isAnswered {
      retire(inFlight.removeFirst())
      progressed = true
      validateHead()
    }
    return progressed
  }

  private mutating func retire(_ item: InFlight) {
    if item.isUnmounted, !item.isVoid { rare.reach(.unmountedRetires) }
    var consequences = Committed.Consequences()
    if let refusal = item.refusal { consequences.diagnostics.append(refusal.text) }
    if item.record.mark != nil { counts.voids += 1 }
    // Set aside for good, an output, end or tick is over; one that was unavailable comes again.
    if !item.isVoid || (item.record.mark != nil && item.record.mark != .unavailable) {
      consequences.failed = FailedEffect(item.record, effects)
      consume(item.record.origin)
    }
    let sequence = item.record.sequence
    var transitions: [Transition] = []
    if item.isVoid || item.hasOnlyPatches {
      mounts.retire(sequence)
    } else {
      transitions = item.transitions.map(\.transition)
      take(transitions, of: item.record, &consequences)
    }
    if wantsPatches { consequences.patch = merged(item) }
    for scope in nodes.indices where nodes[scope].subtree.first == sequence {
      _ = nodes[scope].subtree.removeFirst()
      widenWindow(scope)
    }
    uncommitted.append((Committed(item, consequences), item.ticket))
    if !transitions.isEmpty { sendAll(transitions, item.record) }
    for place in shared.indices { shared[place].retire(through: sequence) }
    if marker == sequence { capture = part(asOf: item.record) }
    for index in nodes.indices {
      nodes[index].mergePending(through: sequence, cuts: cuts)
      if nodes[index].pendingBytes > NodeState.pendingLimit {
        deliverPending(index, through: sequence)
      }
    }
  }

  /// What the stages did besides changing states takes hold.
  private mutating func take(
    _ transitions: [Transition], of record: OrderRecord,
    _ consequences: inout Committed.Consequences
  ) {
    consequences.diagnostics = transitions.flatMap(\.diagnostics) + consequences.diagnostics
    var starts: [Path: UInt32] = [:]
    for transition in transitions {
      for command in transition.effects {
        apply(command, record, &starts, &consequences)
      }
    }
    let ended = mounts.retire(record.sequence, stages: transitions.map(\.mounts))
    if !configuration.faults.keepsEffectsOfUnmounted {
      for path in ended { consequences.cancelled += effects.unmount(path) }
    }
    consequences.started.removeAll { effects[$0.id] == nil }
    if configuration.faults.startsEffectsBeforeDurable {
      for (id, _) in consequences.started { outputs.append(.startedEarly(id)) }
    }
    if !consequences.cancelled.isEmpty { outputs.append(.effectsEnded(consequences.cancelled)) }
  }

  /// A record applied: outputs count, a final one, an end and a one-shot's tick end their effect.
  private mutating func consume(_ origin: Origin) {
    switch origin {
    case .output(let id, _, let isFinal):
      effects.countOutput(id)
      if isFinal { effects.remove(id) }
    case .end(let id):
      effects.remove(id)
    case .timer(let id, let due):
      effects.ticked(id, due: due)
      if case .timer(_, isRepeating: false, _)? = effects[id]?.start.kind { effects.remove(id) }
    case .initial, .client, .send, .retry: break
    }
  }

  private mutating func apply(
    _ command: EffectCommand, _ record: OrderRecord, _ starts: inout [Path: UInt32],
    _ consequences: inout Committed.Consequences
  ) {
    switch command {
    case .start(let start):
      let id = EffectID(
        sequence: record.sequence, path: start.path, index: starts[start.path, default: 0])
      starts[start.path, default: 0] += 1
      effects.add(
        id,
        EffectRegistry.Living(
          start: start, correlation: record.correlation, startedAt: record.now))
      consequences.started.append((id, start))
    case .cancel(let path, let id):
      if configuration.faults.ignoresCancels { return }
      consequences.cancelled += effects.cancel(path, id)
    }
  }

  private mutating func sendAll(_ transitions: [Transition], _ record: OrderRecord) {
    var index: UInt32 = 0
    for send in transitions.flatMap(\.sends) {
      let origin = Origin.send(cause: record.sequence, index: index)
      index += 1
      // During recovery most sends stand in the journal already.
      if lastJournaled[origin] != nil {
        rare.reach(.sendKnownInRecovery)
        continue
      }
      if record.sequence <= recoveredThrough { rare.reach(.sendMissingInRecovery) }
      if record.sequence <= recoveredThrough, configuration.faults.losesSendsOnRecovery { continue }
      guard let address = canonical(send.path, send.payload) else { continue }
      admitOrWait(
        Waiting(
          origin: origin, path: address.path, payload: address.payload,
          correlation: record.correlation))
    }
  }

  /// What was voided as unavailable is unconsumed: it waits again under its old origin (R2), before
  /// everything that came later.
  mutating func waitAgain(_ record: OrderRecord) {
    switch record.origin {
    case .initial, .client: return
    case .send, .output, .end, .timer, .retry: break
    }
    // The journal of an earlier start may have it again under a later number. One that this start
    // numbered again and voided again is later than all of those.
    if let last = lastJournaled[record.origin], last > record.sequence { return }
    rare.reach(lastJournaled[record.origin] == nil ? .waitsAgain : .waitsAgainTwice)
    let owner = topology.owner(of: record.path)
    let place = nodes[owner].waiting.firstIndex { $0.since > record.sequence }
    nodes[owner].waiting.insert(
      Waiting(
        origin: record.origin, path: record.path, payload: record.payload,
        correlation: record.correlation, since: record.sequence),
      at: place ?? nodes[owner].waiting.count)
  }

  private func merged(_ item: InFlight) -> Patch {
    var operations: [PatchOperation] = []
    for (stage, transition) in item.transitions where !transition.patch.isEmpty {
      let node = topology.nodes[item.stages[stage]]
      operations += transition.patch.lifted(by: node.statePath).operations
    }
    return Patch(operations)
  }

  /// Commits what is retired and durable, in order (R11).
  mutating func commitReady() {
    let isLax = configuration.faults.acknowledgesBeforeDurable
    while !uncommitted.isEmpty, uncommitted[0].ticket <= durableTicket || isLax {
      let first = uncommitted.removeFirst()
      committedThrough = first.committed.record.sequence
      outputs.append(.committed(first.committed))
    }
  }
}

extension Origin {
  /// The effect that has to be alive for the record to apply (R3).
  package var livingEffect: EffectID? {
    switch self {
    case .output(let effect, _, _), .end(let effect), .timer(let effect, _): effect
    case .initial, .client, .send, .retry: nil
    }
  }

  /// The record from which one with this origin follows; nil for what came from outside.
  package var cause: UInt64? {
    if case .send(let cause, _) = self { return cause }
    if case .retry(let effect) = self { return effect.sequence }
    return livingEffect?.sequence
  }
}
