import Machines
import Penstock
import PenstockCore
import PenstockTesting

/// The engine of a test store whose scopes are processes.
///
/// The processes reduce everything at once and in their order; the tap says what they did. What came
/// waits here until the test receives it. A replay of the same records says how much is still to come,
/// and each state of the processes must be the replay's.
final class ProcessRun<App: PenstockApp>: TestEngine {
  typealias State = App.Root.State
  typealias Action = App.Root.Action

  /// A record of the processes' order, and what was so after it.
  private struct Arrival {
    var record: OrderRecord
    var state: State
    var living: [LivingEffect]
    var started: [StartedOperation]
    var complaints: [String]
    var draws: [UInt64]
    /// Neither an end nor something that only starts effects.
    var isAction: Bool
  }

  let application: Application<App>
  private let system: SystemUnderTest
  private var ahead: OrderReplay<App>
  private var document: JSONDocument
  private var arrivals: [Arrival] = [] { didSet { waitingNow = nil } }
  /// The last record that the test knows of.
  private var passed: UInt64 = 0 { didSet { waitingNow = nil } }
  private var waitingNow: [WaitingAction]?
  /// Effects that a test ended before what waits.
  private var ended: Set<EffectID> = []
  private var aliveNow: [LivingEffect] = []
  private(set) var state: State
  var operations: [StartedOperation] = []

  /// - Parameter isOwnState: whether the processes make the first state, and not the test.
  init(
    _ app: App, isOwnState: Bool, executable: String, scopes: [Path]?, queues: [String], now: Int64
  ) throws {
    application = Application(app)
    let placeable = application.description.levels.filter { $0.placementObstacle == nil }
    system = try SystemUnderTest(
      application.description, executable: executable, scopes: scopes ?? placeable.map(\.path),
      queues: queues, first: isOwnState ? nil : FirstState(application, now: now), now: now)
    let first = try system.initialRecord()
    do {
      ahead = try OrderReplay(application, initial: first)
    } catch {
      throw TestEngineFailure("\(error.message) Build \(executable) anew.")
    }
    document = try JSONDocument(first.payload)
    state = ahead.state
  }

  var now: Int64 { system.time.now }
  var living: [LivingEffect] { aliveNow.filter { !ended.contains($0.id) } }
  var takesInputs: Bool { false }

  /// What was caused by what the test knows; what follows from that comes after it.
  var waiting: [WaitingAction] {
    if let waitingNow { return waitingNow }
    let waiting = visibleArrivals
    waitingNow = waiting
    return waiting
  }

  private var visibleArrivals: [WaitingAction] {
    arrivals.compactMap { arrival in
      let record = arrival.record
      guard arrival.isAction, record.origin.cause.map({ $0 <= passed }) ?? true else { return nil }
      let kind: WaitingAction.Kind =
        switch record.origin {
        case .output(let id, _, let isFinal): .output(id, isFinal: isFinal)
        case .timer(let id, let due): .tick(id, due: due)
        case .end(let id), .retry(let id): .end(id)
        case .send(let cause, let index): .send(cause: cause, index: index)
        case .initial, .client: .send(cause: record.sequence, index: 0)
        }
      return WaitingAction(
        kind: kind, path: record.path, payload: record.payload, time: record.now,
        correlation: record.correlation)
    }
  }

  // MARK: Sending and receiving

  func send(
    _ action: Action, _ inputs: TestInputs
  ) throws(TestEngineFailure) -> TestStep<State> {
    let (path, payload) = application.address(action)
    let sequence = try system.submit(path, payload)
    try settle("what action \(sequence) causes") { ahead.next > sequence }
    // What the test did not receive came before, and was told.
    while let first = arrivals.first, first.record.sequence < sequence { _ = pass() }
    guard let step = pass() else {
      throw TestEngineFailure("The tap does not show action \(sequence).")
    }
    passSilent()
    return step
  }

  func receive(_ inputs: TestInputs) throws(TestEngineFailure) -> TestStep<State>? {
    passSilent()
    let step = pass()
    passSilent()
    return step
  }

  private func passSilent() {
    while let first = arrivals.first, !first.isAction { _ = pass() }
  }

  /// Goes on to the next record.
  private func pass() -> TestStep<State>? {
    if arrivals.isEmpty { return nil }
    let arrival = arrivals.removeFirst()
    var step = TestStep(
      before: state, after: arrival.state, sequence: arrival.record.sequence,
      inputs: TransitionInputs(
        now: arrival.record.now, seed: arrival.record.seed, isQuiet: true, draws: arrival.draws))
    step.complaints = arrival.complaints
    state = arrival.state
    passed = arrival.record.sequence
    aliveNow = arrival.living
    operations += arrival.started
    return step
  }

  // MARK: Effects and time

  func give(_ given: GivenResult, of id: EffectID) throws(TestEngineFailure) {
    // Over by something that waits: an output would be dropped.
    guard let index = ahead.living[id]?.nextIndex else { return }
    system.report(given, of: id)
    try settle("what \(id) gives") { ahead.living[id]?.nextIndex != index }
  }

  func endNow(_ ids: [EffectID]) throws(TestEngineFailure) {
    for sequence in Set(ids.map(\.sequence)).sorted() {
      _ = try system.request("cancel", "{\"seq\":\(sequence)}")
    }
    try settle("the ends of \(ids)") { !ids.contains { ahead.living[$0] != nil } }
    ended.formUnion(ids)
  }

  var nextDue: Int64? { ahead.living.values.compactMap(Self.nextTick).min() }

  private static func nextTick(_ effect: OrderReplay<App>.LivingEffect) -> Int64? {
    guard case .timer(let interval, let isRepeating, _) = effect.start.kind else { return nil }
    guard let last = effect.lastDue else { return effect.startedAt + interval }
    return isRepeating ? last + interval : nil
  }

  /// From tick to tick, so that each is at its time and none is left out.
  func advance(by duration: Int64) throws(TestEngineFailure) {
    let end = now + duration
    while let due = nextDue, due <= end { try reach(due) }
    if now < end { try reach(end) }
  }

  private func reach(_ moment: Int64) throws(TestEngineFailure) {
    try system.moveTime(to: moment)
    try settle("the ticks of \(moment) µs") { nextDue.map { $0 > moment } ?? true }
  }

  func abandon() {
    if let last = arrivals.last {
      state = last.state
      passed = last.record.sequence
    }
    arrivals = []
    aliveNow = []
    operations = []
  }

  // MARK: Following the processes

  /// Takes records until the condition holds, all sends are in the order, and every operation that
  /// lives is with the worker.
  private func settle(
    _ what: String, until isDone: () -> Bool
  ) throws(TestEngineFailure) {
    var end: UInt64 = 0
    while true {
      try system.wait(what) { () throws(TestEngineFailure) -> Bool in
        while !system.actions.isEmpty { try take(system.actions.removeFirst()) }
        return isDone() && ahead.next > end && ahead.pending.isEmpty
          && ahead.living.allSatisfy(isWithWorker)
          // Whatever ended was also cancelled where it ran.
          && system.running.allSatisfy { ahead.living[$0] != nil }
      }
      // What the replay knows nothing of comes too.
      let head = try system.head()
      if head.pending == 0, head.committed < ahead.next { break }
      end = head.committed + UInt64(head.pending)
    }
    let (expected, living) = (ahead.living.keys.sorted(), try system.livingEffects())
    guard living == expected.map(\.description) else {
      throw TestEngineFailure(
        """
        After \(what) other effects are alive in processes than in one.

        In one: \(expected.map(\.description)). In processes: \(living).
        """)
    }
    passSilent()
  }

  private func isWithWorker(_ id: EffectID, _ effect: OrderReplay<App>.LivingEffect) -> Bool {
    guard case .operation(let name, _, _, _) = effect.start.kind,
      application.operations.serves(name)
    else { return true }
    return system.assignments[id] != nil
  }

  private func take(_ captured: CapturedAction) throws(TestEngineFailure) {
    let record = captured.record
    let applied: OrderReplay<App>.Applied
    let state: State
    do {
      applied = try ahead.apply(record)
      try document.apply(captured.patch ?? Patch())
      let bytes = document.encode()
      // Members may stand in another order.
      let isSame = bytes == JSONWriter.bytes(of: ahead.state)
      state = isSame ? ahead.state : try JSONReader.decode(from: bytes)
    } catch let error as Divergence {
      throw TestEngineFailure("The processes' order can't be replayed. \(error)")
    } catch {
      throw TestEngineFailure(
        "The state of the processes after action \(record.sequence) can't be read: \(error)")
    }
    var arrival = Arrival(
      record: record, state: state, living: living(of: ahead), started: [], complaints: [],
      draws: applied.draws,
      isAction: !applied.isVoid && !application.isDeferred(record.payload))
    if case .end = record.origin { arrival.isAction = false }
    if case .retry = record.origin { arrival.isAction = false }
    if state != ahead.state {
      arrival.complaints.append(
        """
        In processes it led to another state than in one (− in one, + in processes).

        \(TestText.difference(expected: ahead.state, actual: state))
        """)
    }
    if let absence = applied.absence { arrival.complaints.append(absence) }
    arrival.complaints += applied.diagnostics
    var unservedCount = 0
    for id in applied.started {
      guard let living = ahead.living[id], case .operation = living.start.kind else { continue }
      arrival.started.append(
        StartedOperation(id: id, start: living.start, correlation: living.correlation))
      let unserved = UnservedOperation(living.start, consequence: "it would wait for ever") {
        application.operations.serves($0)
      }
      if let unserved {
        arrival.complaints.append("\(unserved)")
        unservedCount += 1
      }
    }
    // The router says last what no worker serves; what is absent is said where a process is there.
    let said = captured.diagnostics.dropLast(unservedCount).filter { $0 != applied.absence }
    guard captured.isUnmounted == applied.isUnmounted, said == applied.diagnostics else {
      throw TestEngineFailure(
        """
        Of action \(record.sequence) something else was said in processes than in one.

        In one: \(applied.diagnostics), unmounted: \(applied.isUnmounted). In processes: \
        \(captured.diagnostics), unmounted: \(captured.isUnmounted).
        """)
    }
    arrivals.append(arrival)
  }

  private func living(of replay: OrderReplay<App>) -> [LivingEffect] {
    replay.living.sorted { $0.key < $1.key }.map { id, effect in
      LivingEffect(id: id, start: effect.start, correlation: effect.correlation)
    }
  }
}
