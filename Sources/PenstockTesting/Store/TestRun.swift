import Penstock
import PenstockCore

/// What a test store drives: the oracle's replay, order time, and what waits to be received.
///
/// Nothing happens here by itself. Sends, ticks that are due and the outputs that the test gives wait
/// in the order in which they came to be, and each is reduced when the test receives it.
struct TestRun<State: JSONCodable, Action: JSONCodable & CasePathable> {
  typealias Tested = TestedReducer<State, Action>
  typealias Living = OrderReplay<Tested>.LivingEffect

  struct Waiting {
    enum Kind {
      case send(cause: UInt64, index: UInt32)
      case output(EffectID, isFinal: Bool)
      case tick(EffectID, due: Int64)
      case end(EffectID)
    }

    var kind: Kind
    var path: Path
    var payload: Bytes
    /// Order time at which it came to be.
    var time: Int64
    var correlation: UInt64

    var effect: EffectID? {
      switch kind {
      case .send: nil
      case .output(let id, _), .tick(let id, _), .end(let id): id
      }
    }
  }

  /// An operation that was started and whether the test has said so.
  struct Started {
    var id: EffectID
    var start: EffectStart
    var correlation: UInt64
    var isAsserted = false
  }

  let application: Application<Tested>
  private(set) var replay: OrderReplay<Tested>
  /// The operations in the order of their starts.
  var operations: [Started] = []
  /// Order time, in microseconds since 1970.
  private(set) var now: Int64
  private(set) var waiting: [Waiting] = []
  /// The last moment until which ticks were queued.
  private var lastTicks: [EffectID: Int64] = [:]
  private var lastNow: Int64
  private var uuids = 0
  /// What workers serve; nil when the test does not say.
  private let served: OperationRegistry?

  /// What one record did, for the store to look at.
  struct Step {
    var before: State
    var after: State
    var sequence: UInt64
    /// The inputs of the action: what an expectation draws is what the reducer drew.
    var inputs: TransitionInputs
    /// Sentences about what was probably not meant.
    var complaints: [String] = []
  }

  init(
    _ reducer: ComposedReducer<State, Action>, _ makeState: () -> State, now: Int64,
    inputs: TestInputs, served: OperationRegistry?
  ) {
    self.served = served
    let transition = TransitionInputs(
      now: now, seed: inputs.seed, isQuiet: true, replacements: inputs.replacements(after: 0))
    let state = transition.run(makeState)
    application = Application(Tested(root: reducer, initialState: state))
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

  /// The operations and timers that are alive, oldest first.
  var living: [(id: EffectID, effect: Living)] {
    replay.living.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func isAlive(_ id: EffectID) -> Bool { replay.living[id] != nil }

  // MARK: Reducing

  mutating func send(_ action: Action, _ inputs: TestInputs) -> Step {
    let (path, payload) = application.address(action)
    return apply(
      path, payload, .client(session: 1, sequence: replay.next), at: now,
      correlation: replay.next, inputs)
  }

  /// The case because of which the action can't be sent from outside.
  func internalCase(_ action: Action) -> InternalCase? {
    let (path, payload) = application.address(action)
    return application.internalCase(path, payload)
  }

  /// The action that would be reduced next.
  var nextAction: Action? { waiting.first.map(action) }

  func action(_ waiting: Waiting) -> Action {
    do {
      return try application.action(at: waiting.path, waiting.payload)
    } catch {
      preconditionFailure("What a reducer made can't be read: \(error)")
    }
  }

  /// Reduces what waits longest.
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
      if let absence = applied.absence { step.complaints.append(absence) }
      step.complaints += applied.diagnostics
      for (index, send) in applied.sends.enumerated() {
        add(
          Waiting(
            kind: .send(cause: sequence, index: UInt32(index)), path: send.path,
            payload: send.payload, time: lastNow, correlation: correlation))
      }
      // One that was cancelled by what started it never was.
      for id in applied.started {
        guard let living = replay.living[id], case .operation = living.start.kind else { continue }
        operations.append(Started(id: id, start: living.start, correlation: correlation))
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

  /// The moment of the next tick; nil when no timer is alive.
  var nextDue: Int64? {
    replay.living.compactMap { id, living in
      guard case .timer(let interval, let isRepeating, _) = living.start.kind else { return nil }
      guard let last = lastTicks[id] else { return living.startedAt + interval }
      return isRepeating ? last + interval : nil
    }.min()
  }

  mutating func put(_ bytes: Bytes, of id: EffectID, isFinal: Bool) {
    guard let living = replay.living[id] else { return }
    add(
      Waiting(
        kind: .output(id, isFinal: isFinal), path: living.start.path, payload: bytes, time: now,
        correlation: living.correlation))
  }

  mutating func end(_ id: EffectID) {
    guard let living = replay.living[id] else { return }
    add(
      Waiting(
        kind: .end(id), path: living.start.path, payload: [], time: now,
        correlation: living.correlation))
    settleQueue()
  }

  /// Ends the effects at once, before all that waits.
  mutating func endNow(_ ids: [EffectID]) {
    for id in ids {
      guard let living = replay.living[id] else { continue }
      waiting.insert(
        Waiting(
          kind: .end(id), path: living.start.path, payload: [], time: now,
          correlation: living.correlation), at: 0)
      settleQueue()
    }
  }

  mutating func dropWaiting() { waiting = [] }

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
    for (id, living) in living {
      guard case .timer(let interval, let isRepeating, let payload) = living.start.kind else {
        continue
      }
      let last = lastTicks[id] ?? living.startedAt
      if lastTicks[id] != nil, !isRepeating { continue }
      var due = last + interval
      while due <= now {
        add(
          Waiting(
            kind: .tick(id, due: due), path: living.start.path, payload: payload, time: due,
            correlation: living.correlation))
        lastTicks[id] = due
        if !isRepeating { break }
        due += interval
      }
    }
  }

  /// What came to be later stands behind.
  private mutating func add(_ item: Waiting) {
    let place = waiting.lastIndex { $0.time <= item.time }.map { $0 + 1 } ?? 0
    waiting.insert(item, at: place)
  }
}
