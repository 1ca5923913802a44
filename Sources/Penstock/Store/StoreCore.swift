/// What a store holds under its lock: the replay that goes on, the queue, and who waits for what.
struct StoreCore<App: PenstockApp> {
  typealias State = App.Root.State

  var replay: OrderReplay<App>
  var order: [OrderRecord]
  var tasks: [EffectID: Task<Void, Never>] = [:]
  var observers = StoreObservers<State>()
  var diagnostics: [String] = []
  var waiters: [(isOver: @Sendable (StoreCore) -> Bool, promise: Promise<Void>)] = []
  private var queue: [Queued] = []
  private var head = 0
  /// The lowest number that a client's action may have been given.
  private var nextClient: UInt64 = 1

  private struct Queued {
    var path: Path
    var payload: Bytes
    var origin: Origin
    /// nil for a client's action: its own number.
    var correlation: UInt64?
  }

  /// What is to be done outside of the lock.
  struct Work {
    var started: [(EffectID, OrderReplay<App>.LivingEffect)] = []
    var ended: [Task<Void, Never>] = []
    var finished: [Promise<Void>] = []
  }

  init(_ application: Application<App>, now: Int64, seed: UInt64, _ checksPurity: Bool) {
    let inputs = TransitionInputs(now: now, seed: seed, isQuiet: true)
    let state = inputs.run { application.app.initialState }
    let record = OrderRecord(
      sequence: 0, path: .root, payload: JSONWriter.bytes(of: state), now: now, seed: seed,
      origin: .initial, correlation: 0)
    order = [record]
    do {
      replay = try OrderReplay(application, initial: record)
    } catch {
      preconditionFailure("The initial state is another one when it is made again: \(error)")
    }
    replay.checksPurity = checksPurity
  }

  /// - Returns: the number that the action gets, since the queue is empty between two drains.
  mutating func enqueueClient(_ path: Path, _ payload: Bytes) -> UInt64 {
    let sequence = nextClient
    nextClient += 1
    queue.append(
      Queued(
        path: path, payload: payload, origin: .client(session: 1, sequence: sequence),
        correlation: nil))
    return replay.next
  }

  mutating func enqueue(_ delivery: EffectRunner.Delivery, of effect: EffectID) {
    guard let living = replay.living[effect] else { return }
    let origin: Origin
    var payload: Bytes = []
    switch delivery {
    case .output(let bytes, let isFinal):
      origin = .output(effect: effect, index: living.nextIndex, isFinal: isFinal)
      payload = bytes
    case .tick(let due):
      guard case .timer(_, _, let action) = living.start.kind else { return }
      origin = .timer(effect: effect, due: due)
      payload = action
    case .end: origin = .end(effect: effect)
    }
    queue.append(
      Queued(
        path: living.start.path, payload: payload, origin: origin,
        correlation: living.correlation))
  }

  mutating func enqueueEnds(of sequence: UInt64, _ extent: StoreTask.Extent) {
    for (effect, living) in replay.living.sorted(by: { $0.key < $1.key }) {
      switch extent {
      case .own where effect.sequence == sequence, .tree where living.correlation == sequence:
        enqueue(.end, of: effect)
      default: continue
      }
    }
  }

  /// Reduces everything that waits, and what follows from it.
  mutating func drain(now: Int64, seed: UInt64) -> Work {
    var work = Work()
    let before = replay.state
    while head < queue.count {
      let queued = queue[head]
      head += 1
      step(queued, now: now, seed: seed, &work)
    }
    queue.removeAll(keepingCapacity: true)
    head = 0
    if before != replay.state { observers.append(.success(replay.state)) }
    work.started.removeAll { replay.living[$0.0] == nil }
    let waiting = waiters
    waiters = []
    for waiter in waiting {
      if waiter.isOver(self) {
        work.finished.append(waiter.promise)
      } else {
        waiters.append(waiter)
      }
    }
    return work
  }

  private mutating func step(_ queued: Queued, now: Int64, seed: UInt64, _ work: inout Work) {
    let sequence = replay.next
    let record = OrderRecord(
      sequence: sequence, path: queued.path, payload: queued.payload, now: now,
      seed: seed &+ sequence &* 0x9e37_79b9_7f4a_7c15, origin: queued.origin,
      correlation: queued.correlation ?? sequence)
    do {
      let applied = try replay.apply(record)
      order.append(record)
      if let absence = applied.absence { diagnostics.append(absence) }
      diagnostics += applied.diagnostics
      for (index, send) in applied.sends.enumerated() {
        queue.append(
          Queued(
            path: send.path, payload: send.payload,
            origin: .send(cause: sequence, index: UInt32(index)),
            correlation: record.correlation))
      }
      for effect in applied.ended {
        if let task = tasks.removeValue(forKey: effect) { work.ended.append(task) }
      }
      for effect in applied.started {
        guard let living = replay.living[effect] else { continue }
        work.started.append((effect, living))
        let unserved = UnservedOperation(
          living.start, consequence: "it fails", isServed: replay.application.operations.serves)
        if let unserved { diagnostics.append("\(unserved)") }
      }
    } catch {
      preconditionFailure("The store made a record that does not follow from the others: \(error)")
    }
  }
}
