import Penstock
import PenstockCore

/// What a test store drives: the oracle's replay, order time, and what waits to be received.
///
/// Nothing happens here by itself. Sends, ticks that are due and the outputs that the test gives wait
/// in the order in which they came to be, and each is reduced when the test receives it.
struct TestRun<State: JSONCodable, Action: JSONCodable & CasePathable>: TestEngine {
  typealias Tested = TestedReducer<State, Action>
  typealias Step = TestStep<State>

  let application: Application<Tested>
  private(set) var replay: OrderReplay<Tested>
  /// The operations in the order of their starts.
  var operations: [StartedOperation] = []
  /// Order time, in microseconds since 1970.
  private(set) var now: Int64
  private(set) var waiting: [WaitingAction] = []
  /// The last moment until which ticks were queued.
  private var lastTicks: [EffectID: Int64] = [:]
  private var lastNow: Int64
  private var uuids = 0
  /// What workers serve; nil when the test does not say.
  private let served: OperationRegistry?

  init(
    _ reducer: ComposedReducer<State, Action>, _ makeState: () -> State, now: Int64,
    inputs: TestInputs, served: OperationRegistry?
  ) {
    self.served = served
    let transition = TransitionInputs(
      now: now, seed: inputs.seed, isQuiet: true, replacements: inputs.replacements(after: 0))
    let state = transition.run(makeState)
    application = Application(Tested(root: reducer, initialState: state), isWhole: false)
    uuids = transition.uuids
    self.now = now
    lastNow = now
    let record = OrderRecord(
      sequence: 0, path: .root, payload: JSONWriter.bytes(of: state), now: now, seed: inputs.seed,
      origin: .initial, correlation: 0)
    do {
      replay = try OrderReplay(application, initial: record)
    } catch {
      preconditionFailure("A state that is the first one is another one: \(error)")
    }
    replay.checksPurity = true
  }

  var state: State { replay.state }

  var living: [LivingEffect] {
    replay.living.sorted { $0.key < $1.key }.map { id, effect in
      LivingEffect(id: id, start: effect.start, correlation: effect.correlation)
    }
  }

  var takesInputs: Bool { true }

  // MARK: Reducing

  mutating func send(_ action: Action, _ inputs: TestInputs) -> Step {
    let (path, payload) = application.address(action)
    return apply(
      path, payload, .client(session: 1, sequence: replay.next), at: now,
      correlation: replay.next, inputs)
  }

  mutating func receive(_ inputs: TestInputs) -> Step? {
    if waiting.isEmpty { return nil }
    let item = waiting.removeFirst()
    let origin: Origin
    switch item.kind {
    case .send(let cause, let index): origin = .send(cause: cause, index: index)
    case .output(let id, let isFinal):
      origin = .output(
        effect: id, index: replay.living[id]?.nextIndex ?? 0, isFinal: isFinal)
    case .tick(let id, let due): origin = .timer(effect: id, due: due)
    case .end(let id): origin = .end(effect: id)
    }
    return apply(
      item.path, item.payload, origin, at: item.time, correlation: item.correlation, inputs)
  }

  private mutating func apply(
    _ path: Path, _ payload: Bytes, _ origin: Origin, at time: Int64, correlation: UInt64,
    _ inputs: TestInputs
  ) -> Step {
    let sequence = replay.next
    lastNow = max(lastNow, time)
    let record = OrderRecord(
      sequence: sequence, path: path, payload: payload, now: lastNow,
      seed: inputs.seed &+ sequence &* 0x9e37_79b9_7f4a_7c15, origin: origin,
      correlation: correlation)
    let replacements = inputs.replacements(after: uuids)
    var step = Step(
      before: replay.state, after: replay.state, sequence: sequence,
      inputs: TransitionInputs(
        now: lastNow, seed: record.seed, isQuiet: true, replacements: replacements))
    replay.replacements = replacements
    do {
      let applied = try replay.apply(record)
      uuids += applied.uuids
      step.inputs = TransitionInputs(
        now: lastNow, seed: record.seed, isQuiet: true, replacements: replacements,
        draws: applied.draws)
      if let absence = applied.absence { step.complaints.append(absence) }
      step.complaints += applied.diagnostics
      for (index, send) in applied.sends.enumerated() {
        add(
          WaitingAction(
            kind: .send(cause: sequence, index: UInt32(index)), path: send.path,
            payload: send.payload, time: lastNow, correlation: correlation))
      }
      // One that was cancelled by what started it never was.
      for id in applied.started {
        guard let living = replay.living[id], case .operation = living.start.kind else { continue }
        operations.append(StartedOperation(id: id, start: living.start, correlation: correlation))
        let unserved = UnservedOperation(living.start, consequence: "it would wait for ever") {
          served?.serves($0) ?? true
        }
        if let unserved { step.complaints.append("\(unserved)") }
      }
    } catch {
      step.complaints.append(error.message)
    }
    step.after = replay.state
    settleQueue()
    return step
  }

  // MARK: Time and outputs

  mutating func advance(by duration: Int64) {
    now += duration
    settleQueue()
  }

  var nextDue: Int64? {
    replay.living.compactMap { id, living in
      guard case .timer(let interval, let isRepeating, _) = living.start.kind else { return nil }
      guard let last = lastTicks[id] else { return living.startedAt + interval }
      return isRepeating ? last + interval : nil
    }.min()
  }

  mutating func give(_ given: GivenResult, of id: EffectID) {
    guard let living = replay.living[id], case .operation(_, _, let output, _) = living.start.kind
    else { return }
    let cases = output.cases + (output.isOutcome ? ["success"] : [])
    switch given {
    case .output(let bytes, let isFinal):
      put(JSONScan.wrap(bytes, in: cases), of: id, isFinal: isFinal)
    case .failure(let failure) where output.isOutcome:
      let bytes = JSONWriter.bytes(of: failure)
      put(JSONScan.wrap(bytes, in: output.cases + ["failure"]), of: id, isFinal: true)
    case .failure, .finished, .cancelled: end(id)
    }
  }

  private mutating func put(_ bytes: Bytes, of id: EffectID, isFinal: Bool) {
    guard let living = replay.living[id] else { return }
    add(
      WaitingAction(
        kind: .output(id, isFinal: isFinal), path: living.start.path, payload: bytes, time: now,
        correlation: living.correlation))
  }

  private mutating func end(_ id: EffectID) {
    guard let living = replay.living[id] else { return }
    add(
      WaitingAction(
        kind: .end(id), path: living.start.path, payload: [], time: now,
        correlation: living.correlation))
    settleQueue()
  }

  mutating func endNow(_ ids: [EffectID]) {
    for id in ids {
      guard let living = replay.living[id] else { continue }
      waiting.insert(
        WaitingAction(
          kind: .end(id), path: living.start.path, payload: [], time: now,
          correlation: living.correlation), at: 0)
      settleQueue()
    }
  }

  mutating func abandon() {
    waiting = []
    endNow(living.map(\.id))
    operations = []
  }

  /// Takes what is due into the queue, what is over out of it, and applies ends that nothing precedes.
  private mutating func settleQueue() {
    queueTicks()
    let living = replay.living
    waiting.removeAll { $0.effect.map { living[$0] == nil } ?? false }
    guard let first = waiting.first else { return }
    if case .end = first.kind {
      _ = receive(TestInputs())
    } else if application.isDeferred(first.payload) {
      // What it starts is seen, it itself is no action.
      _ = receive(TestInputs())
    }
  }

  private mutating func queueTicks() {
    for (id, living) in replay.living.sorted(by: { $0.key < $1.key }) {
      guard case .timer(let interval, let isRepeating, let payload) = living.start.kind else {
        continue
      }
      let last = lastTicks[id] ?? living.startedAt
      if lastTicks[id] != nil, !isRepeating { continue }
      var due = last + interval
      while due <= now {
        add(
          WaitingAction(
            kind: .tick(id, due: due), path: living.start.path, payload: payload, time: due,
            correlation: living.correlation))
        lastTicks[id] = due
        if !isRepeating { break }
        due += interval
      }
    }
  }

  /// What came to be later stands behind.
  private mutating func add(_ item: WaitingAction) {
    let place = waiting.lastIndex { $0.time <= item.time }.map { $0 + 1 } ?? 0
    waiting.insert(item, at: place)
  }
}
