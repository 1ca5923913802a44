/// The oracle: applies records one after the other to the whole state (R1).
///
/// It is naive on purpose. It shares the reducers with the runtime and nothing of what makes that
/// fast: no placement, no patches, no epochs, no windows.
package struct OrderReplay<App: PenstockApp> {
  package typealias State = App.Root.State

  package let application: Application<App>
  /// Reduces everything twice, the second time on a decoded state (R13).
  package var checksPurity = false
  /// What a test replaces of the reducers' inputs.
  package var replacements: InputReplacements?
  package private(set) var state: State
  package private(set) var next: UInt64 = 0
  /// What was up to here is known as its outcome only: the replay began at a checkpoint.
  private var beginning: UInt64 = 0
  package private(set) var living: [EffectID: LivingEffect] = [:]
  package private(set) var pending: [UnconsumedSend] = []
  package private(set) var mounts: [Path: Generation] = [:]
  /// Every effect that was ever started, alive or not.
  private var started: [EffectID: EffectStart] = [:]
  private var identities: [Path: String] = [:]
  /// Sends that were voided as unavailable: they may be overtaken (R2).
  private var waitingAgain: Set<UnconsumedSend> = []
  /// Failed effects that were started again.
  private var retried: Set<EffectID> = []

  /// A living effect and what has come of it.
  package struct LivingEffect: Sendable {
    package var start: EffectStart
    package var startedAt: Int64
    package var correlation: UInt64
    package var nextIndex: UInt32 = 0
    package var lastDue: Int64?
  }

  /// What one record did.
  package struct Applied: Sendable {
    package var isVoid = false
    /// What on the way to the record's path is not mounted, in a sentence.
    package var absence: String?
    package var isUnmounted: Bool { absence != nil }
    package var sends: [Send] = []
    package var started: [EffectID] = []
    /// What a cancel, an unmounting or its own last record ended.
    package var ended: [EffectID] = []
    /// Other sentences about what was probably not meant.
    package var diagnostics: [String] = []
    /// Identifiers that reducers made.
    package var uuids = 0
    /// What reducers drew, for whoever has to draw the same.
    package var draws: [UInt64] = []
  }

  package init(
    _ application: Application<App>, initial record: OrderRecord,
    replacements: InputReplacements? = nil
  ) throws(Divergence) {
    self.application = application
    self.replacements = replacements
    guard record.sequence == 0, record.origin == .initial else {
      throw Divergence(sequence: record.sequence, message: "The order does not begin with a state.")
    }
    let inputs = TransitionInputs(
      now: record.now, seed: record.seed, isQuiet: true, replacements: replacements)
    state = inputs.run { application.app.initialState }
    guard JSONWriter.bytes(of: state) == record.payload else {
      throw Divergence(sequence: 0, message: "The application begins with another state.")
    }
    next = 1
    application.root.listMounts(state, at: .root, into: &identities)
    for (ordinal, path) in identities.keys.sorted().enumerated() {
      mounts[path] = Generation(sequence: 0, ordinal: UInt32(ordinal))
    }
  }

  /// Goes on from a cut. What followed from records before it is taken as it comes.
  package init(_ application: Application<App>, from cut: OrderCut) throws(Divergence) {
    self.application = application
    do {
      state = try JSONReader.decode(from: cut.state)
    } catch {
      throw Divergence(
        sequence: cut.sequence,
        message: "The state as of it is none of this application: \(error.message).")
    }
    beginning = cut.sequence
    next = cut.sequence + 1
    living = cut.living.mapValues { effect in
      LivingEffect(
        start: effect.start, startedAt: effect.startedAt, correlation: effect.correlation,
        nextIndex: effect.nextIndex, lastDue: effect.lastDue)
    }
    started = cut.living.mapValues(\.start)
    mounts = cut.mounts
    application.root.listMounts(state, at: .root, into: &identities)
  }

  /// The system as of the last record.
  package var cut: OrderCut {
    OrderCut(
      sequence: next - 1, state: JSONWriter.bytes(of: state),
      living: living.mapValues { effect in
        OrderCut.Effect(
          start: effect.start, startedAt: effect.startedAt, correlation: effect.correlation,
          nextIndex: effect.nextIndex, lastDue: effect.lastDue)
      }, mounts: mounts)
  }

  package mutating func apply(_ record: OrderRecord) throws(Divergence) -> Applied {
    func diverge(_ message: String) -> Divergence {
      Divergence(sequence: record.sequence, message: message)
    }
    guard record.sequence == next else { throw diverge("\(next) was expected to be next.") }
    next += 1
    var applied = Applied()
    let isAlive = try check(record)
    if record.mark != nil || !isAlive {
      applied.isVoid = true
      // Set aside for good, an output, end or tick is over; one that was unavailable comes again.
      if isAlive, record.mark != .unavailable { consume(record, &applied) }
      return applied
    }
    consume(record, &applied)
    if case .end = record.origin { return applied }

    var stage: ReplayStage
    do {
      stage = ReplayStage(record: record, inputs: try inputs(record, state))
      try run(&stage)
    } catch let error as UndecodableError {
      throw diverge("\(error) But no mark voids it.")
    } catch let error as Divergence {
      throw error
    } catch {
      throw diverge("\(error)")
    }
    applied.uuids = stage.inputs.uuids
    applied.draws = stage.inputs.drawn
    applied.absence = stage.absence
    applied.diagnostics = stage.diagnostics
    applied.sends = stage.sends
    for (index, send) in stage.sends.enumerated() {
      pending.append(
        UnconsumedSend(cause: record.sequence, index: UInt32(index), send: send))
    }
    applyEffects(stage.effects, record, &applied)
    applyMounts(stage.reports, record, &applied)
    applied.started.removeAll { living[$0] == nil }
    return applied
  }

  private func inputs(
    _ record: OrderRecord, _ state: State
  ) throws(UnsharedValue) -> TransitionInputs {
    TransitionInputs(
      now: record.now, seed: record.seed, isQuiet: true, replacements: replacements,
      shared: Deferred.isDeferred(record.payload)
        ? [:] : try application.sharedValues(for: record.path, in: state, replacements),
      recordsDraws: true)
  }

  private mutating func run(_ stage: inout ReplayStage) throws {
    let before = checksPurity ? JSONWriter.bytes(of: state) : []
    let first = stage
    try reduce(&state, &stage)
    guard checksPurity else { return }
    var other: State = try JSONReader.decode(from: before)
    var second = ReplayStage(record: first.record, inputs: try inputs(first.record, other))
    try reduce(&other, &second)
    guard JSONWriter.bytes(of: other) == JSONWriter.bytes(of: state), second.sends == stage.sends,
      second.effects == stage.effects
    else {
      throw Divergence(
        sequence: stage.record.sequence,
        message: """
          Reduced again on a state that was encoded and decoded, the action at \
          \(stage.record.path) gave another result. The reducer reads something besides state and \
          action, such as a clock or the order of a Set, or the state does not encode all of itself.
          """)
    }
  }

  private func reduce(_ state: inout State, _ stage: inout ReplayStage) throws(UndecodableError) {
    if Deferred.isDeferred(stage.record.payload) {
      let deferred = try Deferred(payload: stage.record.payload)
      stage.sends = deferred.sends
      stage.effects = deferred.effects
      return
    }
    let path = stage.record.path.components[...]
    try stage.inputs.run { () throws(UndecodableError) in
      _ = try application.root.replay(
        &state, below: path, at: .root, wantsAction: false, &stage)
    }
  }

  // MARK: Origins

  /// Checks that the record's cause produced it.
  /// - Returns: whether its effect, if it has one, is alive.
  private mutating func check(_ record: OrderRecord) throws(Divergence) -> Bool {
    func diverge(_ message: String) -> Divergence {
      Divergence(sequence: record.sequence, message: message)
    }
    // An effect that ended before the beginning.
    if let effect = record.origin.effect, effect.sequence <= beginning, started[effect] == nil {
      return false
    }
    switch record.origin {
    case .initial: throw diverge("A second initial state.")
    case .client: return true
    case .send(let cause, let index):
      try consumeSend(record, cause: cause, index: index)
      return true
    case .output(let effect, let index, _):
      guard case .operation(_, _, let output, _)? = started[effect]?.kind else {
        throw diverge("No operation \(effect) was ever started.")
      }
      guard let living = living[effect] else { return false }
      if record.path != living.start.path { throw diverge("\(effect) has another owner.") }
      // One that was voided as unavailable comes again, and so do those numbered meanwhile.
      let comesAgain = record.mark == .unavailable && index > living.nextIndex
      guard index == living.nextIndex || comesAgain else {
        throw diverge("Output \(living.nextIndex) of \(effect) was expected, not \(index).")
      }
      guard JSONScan.value(at: output.cases, in: record.payload) != nil else {
        throw diverge("The output of \(effect) is not wrapped in \(output.cases).")
      }
      return true
    case .end(let effect):
      guard started[effect] != nil else { throw diverge("No effect \(effect) was ever started.") }
      return living[effect] != nil
    case .timer(let effect, let due):
      guard case .timer(let interval, let isRepeating, let payload)? = started[effect]?.kind else {
        throw diverge("No timer \(effect) was ever started.")
      }
      guard let living = living[effect] else { return false }
      if record.path != living.start.path || record.payload != payload {
        throw diverge("The tick of \(effect) is another action.")
      }
      let phase = due - living.startedAt
      let isDue = isRepeating ? phase > 0 && phase % interval == 0 : phase == interval
      guard isDue, due > living.lastDue ?? .min else {
        throw diverge("\(effect) was not due at \(due).")
      }
      return true
    case .retry(let effect):
      if let start = started[effect] {
        guard living[effect] == nil else { throw diverge("\(effect) has not ended.") }
        guard record.payload == ReservedPayload.starting([.start(start)]) else {
          throw diverge("\(effect) was another effect.")
        }
      } else if effect.sequence > beginning {
        throw diverge("No effect \(effect) was ever started.")
      }
      if record.path != effect.path { throw diverge("\(effect) has another owner.") }
      if retried.contains(effect) { throw diverge("\(effect) was started again before.") }
      return isMountUnchanged(since: effect)
    }
  }

  /// Whether nothing on the way to the effect's owner was mounted anew since the effect was started.
  private func isMountUnchanged(since effect: EffectID) -> Bool {
    Swift.sequence(first: effect.path, next: \.parent).allSatisfy { path in
      switch application.description.level(addressed: path)?.kind {
      case .optional, .enumCase, .collection:
        mounts[path].map { $0.sequence <= effect.sequence } ?? false
      case .root, .scope, nil: true
      }
    }
  }

  private mutating func consumeSend(
    _ record: OrderRecord, cause: UInt64, index: UInt32
  ) throws(Divergence) {
    func diverge(_ message: String) -> Divergence {
      Divergence(sequence: record.sequence, message: message)
    }
    if cause <= beginning, beginning > 0 { return }
    guard let place = pending.firstIndex(where: { $0.cause == cause && $0.index == index }) else {
      throw diverge("Send \(index) of \(cause) was not made, or stands in the order already.")
    }
    let found = pending[place]
    guard found.send == Send(path: record.path, payload: record.payload) else {
      throw diverge("Send \(index) of \(cause) was another action.")
    }
    let overtaken = pending[..<place].first {
      $0.send.path == record.path && !waitingAgain.contains($0)
    }
    // Of a flood the newest is set aside at once, while the older ones wait for a number (R16).
    if let overtaken, record.mark != .runaway {
      throw diverge(
        "Send \(index) of \(cause) overtook send \(overtaken.index) of \(overtaken.cause).")
    }
    if record.mark == .unavailable {
      waitingAgain.insert(found)
    } else {
      pending.remove(at: place)
      waitingAgain.remove(found)
    }
  }

  private mutating func consume(_ record: OrderRecord, _ applied: inout Applied) {
    switch record.origin {
    case .initial, .client, .send: break
    case .output(let effect, _, let isFinal):
      living[effect]?.nextIndex += 1
      if isFinal { end([effect], &applied) }
    case .end(let effect): end([effect], &applied)
    case .timer(let effect, let due):
      living[effect]?.lastDue = due
      if case .timer(_, isRepeating: false, _)? = living[effect]?.start.kind {
        end([effect], &applied)
      }
    case .retry(let effect): retried.insert(effect)
    }
  }

  // MARK: Effects and mounts

  private mutating func applyEffects(
    _ commands: [EffectCommand], _ record: OrderRecord, _ applied: inout Applied
  ) {
    var counts: [Path: UInt32] = [:]
    for command in commands {
      switch command {
      case .start(let start):
        let id = EffectID(
          sequence: record.sequence, path: start.path, index: counts[start.path, default: 0])
        counts[start.path, default: 0] += 1
        living[id] = LivingEffect(
          start: start, startedAt: record.now, correlation: record.correlation)
        started[id] = start
        applied.started.append(id)
      case .cancel(let path, let cancelID):
        end(
          living.filter {
            path.contains($0.key.path) && $0.value.start.cancelIDs.contains(cancelID)
          }.keys, &applied)
      }
    }
  }

  /// Compares the mounts once over the whole record (R8): what changed, or stands below a change, is
  /// another mount.
  private mutating func applyMounts(
    _ reports: [Path], _ record: OrderRecord, _ applied: inout Applied
  ) {
    if reports.isEmpty { return }
    var now: [Path: String] = [:]
    application.root.listMounts(state, at: .root, into: &now)
    let changed = Set(identities.keys).union(now.keys).filter { identities[$0] != now[$0] }
    for path in identities.keys where path.isWithin(changed) {
      mounts[path] = nil
      end(living.keys.filter { path.contains($0.path) }, &applied)
    }
    var ordinal: UInt32 = 0
    for path in reports where now[path] != nil && path.isWithin(changed) {
      mounts[path] = Generation(sequence: record.sequence, ordinal: ordinal)
      ordinal += 1
    }
    identities = now
  }

  private mutating func end(_ effects: some Sequence<EffectID>, _ applied: inout Applied) {
    for effect in Array(effects).sorted() where living.removeValue(forKey: effect) != nil {
      applied.ended.append(effect)
    }
  }
}

extension Application {
  package func replay(
    _ order: [OrderRecord], statesAt sequences: Set<UInt64>, resultsAt results: Set<UInt64>
  ) -> ReplayResult {
    replay(order, statesAt: sequences, resultsAt: results, checksPurity: false)
  }

  package func replay(
    _ order: [OrderRecord], statesAt sequences: Set<UInt64>, resultsAt results: Set<UInt64> = [],
    checksPurity: Bool
  ) -> ReplayResult {
    var result = ReplayResult()
    guard let initial = order.first else {
      result.divergence = Divergence(sequence: 0, message: "The order is empty.")
      return result
    }
    do {
      var replay = try OrderReplay(self, initial: initial)
      replay.checksPurity = checksPurity
      func note(_ sequence: UInt64) {
        if sequences.contains(sequence) {
          result.states[sequence] = JSONWriter.bytes(of: replay.state)
        }
        if results.contains(sequence) {
          var earlier = ReplayResult()
          replay.summarize(into: &earlier)
          result.earlier[sequence] = earlier
        }
      }
      note(0)
      defer { replay.summarize(into: &result) }
      for record in order.dropFirst() {
        let applied = try replay.apply(record)
        if applied.isVoid { result.voids.append(record.sequence) }
        if applied.isUnmounted { result.unmounted.append(record.sequence) }
        note(record.sequence)
      }
    } catch {
      result.divergence = error
    }
    return result
  }
}

extension OrderReplay {
  fileprivate func summarize(into result: inout ReplayResult) {
    result.finalState = JSONWriter.bytes(of: state)
    result.livingEffects = living.mapValues(\.start)
    result.unconsumedSends = pending
    result.mounts = mounts
  }
}

extension Origin {
  /// The effect that made the record.
  fileprivate var effect: EffectID? {
    switch self {
    case .output(let effect, _, _), .end(let effect), .timer(let effect, _): effect
    case .initial, .client, .send, .retry: nil
    }
  }
}
