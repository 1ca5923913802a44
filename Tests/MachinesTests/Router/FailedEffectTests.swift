@testable import Machines
import PenstockCore
import Testing
import Wire

/// An effect that fails for good is listed, outlives restarts, and can be started again.
@Suite struct FailedEffectTests {
  private static let (root, client, worker) = (PeerID(1), PeerID(2), PeerID(3))

  private var machine: RouterMachine
  private var time: Int64 = 1
  private var entries: [JournalEntry] = []
  private var assignments: [Assignment] = []
  /// The root dies of starting an effect again.
  private var isDeadly = false
  private var replies: [(status: UInt16, body: String)] = []

  init() throws {
    machine = try RouterMachine(configuration: RouterConfiguration(), start: 1, entries: [])
    join(initial: true)
  }

  private static func start(isOutcome: Bool) -> EffectStart {
    EffectStart(
      path: .root,
      kind: .operation(
        name: "op", input: Bytes("7".utf8),
        output: OutputCase(cases: ["done"], isOutcome: isOutcome), policy: EffectPolicy()))
  }

  private static var rootJoins: [RouterEvent] {
    let level = LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true)
    let description = ApplicationDescription(
      name: "app", levels: [level], operations: ["op"], schemaHash: 5)
    let hello = Hello(
      role: .feature, name: "/", session: 0, application: "app", schemaHash: 5,
      description: JSONWriter.bytes(of: description))
    return [.message(root, .hello(hello))]
  }

  private mutating func join(initial: Bool) {
    handle(
      Self.rootJoins
        + (initial
          ? [.message(Self.root, .initialState(Bytes("{}".utf8), mounts: []))] : [])
        + [
          .message(Self.root, .ready(sequence: 0)),
          .message(Self.client, .hello(Hello(role: .client, name: "c", session: 1))),
          .message(
            Self.worker,
            .hello(
              Hello(
                role: .worker, name: "w", session: 2, application: "app", schemaHash: 5,
                queues: ["default"], slots: 4))),
        ])
  }

  /// Everything is durable at once, and the root starts what it is asked for: an action is the name of
  /// a kind of effect, and a payload that starts effects is read as it was written.
  private mutating func handle(_ events: [RouterEvent]) {
    var events = events
    while !events.isEmpty {
      time += 1_500_000
      let clock = ClockReading(monotonic: time, wall: time)
      let outputs = machine.handle(events, at: clock)
      events = []
      for output in outputs {
        switch output {
        case .append(let new, let ticket):
          entries += new
          events.append(.journaled(ticket: ticket))
        case .send(Self.root, .work(let work))
        where isDeadly && ReservedPayload.isReserved(work.payload ?? []):
          events += [.peerLost(Self.root)] + Self.rootJoins
        case .send(Self.root, .work(let work)) where !work.isReplay:
          var transition = Transition()
          transition.effects = Self.effects(of: work.payload ?? [])
          events.append(
            .message(
              Self.root,
              .answer(
                Answer(sequence: work.sequence, epoch: work.epoch, result: .reduced(transition)))))
        case .send(Self.root, .caughtUp(let sequence)):
          events.append(.message(Self.root, .ready(sequence: sequence)))
        case .send(Self.worker, .assign(let assignment)): assignments.append(assignment)
        case .send(Self.client, .reply(_, let status, let body)):
          replies.append((status, String(decoding: body, as: UTF8.self)))
        default: break
        }
      }
    }
  }

  private static func effects(of payload: Bytes) -> [EffectCommand] {
    for isOutcome in [true, false] {
      let start = [EffectCommand.start(Self.start(isOutcome: isOutcome))]
      if payload == ReservedPayload.starting(start) { return start }
    }
    switch String(decoding: payload, as: UTF8.self) {
    case "\"outcome\"": return [.start(Self.start(isOutcome: true))]
    case "\"plain\"": return [.start(Self.start(isOutcome: false))]
    default: return []
    }
  }

  private mutating func ask(_ verb: String, _ body: String = "{}") throws -> (UInt16, String) {
    replies = []
    handle([.message(Self.client, .request(id: 1, verb: verb, body: Bytes(body.utf8)))])
    let reply = try #require(replies.first)
    return (reply.status, reply.body)
  }

  private mutating func fail(_ assignment: Assignment) {
    handle([
      .message(
        Self.worker,
        .effectEnded(
          effect: assignment.effect, attempt: assignment.attempt, index: 0,
          result: .failed(code: "no", message: "never", isRetryable: true)))
    ])
  }

  private mutating func failOne(_ action: String) throws {
    handle([
      .message(
        Self.client,
        .submit(Submit(clientSequence: 1, path: .root, payload: Bytes("\"\(action)\"".utf8))))
    ])
    fail(try #require(assignments.last))
  }

  private mutating func restart() throws {
    machine = try RouterMachine(
      configuration: RouterConfiguration(), start: 2, entries: entries)
    assignments = []
    join(initial: false)
  }

  @Test(arguments: ["outcome", "plain"])
  mutating func `K-1: what failed is listed, and started again once`(action: String) throws {
    try failOne(action)
    let (_, list) = try ask("failed")
    #expect(
      list.contains(
        #"{"id":"1/#0","seq":2,"path":"/","operation":"op","attempts":1,"t":"#), "\(list)")
    #expect(list.contains(#""code":"no","message":"never"}"#))
    let (status, answer) = try ask("retry", #"{"effect":"1/#0"}"#)
    #expect(status == 0 && answer == #"{"v":1,"seq":3,"effect":"3/#0"}"#)
    #expect(assignments.last?.effect == EffectID(sequence: 3, path: .root, index: 0))
    #expect(assignments.last?.input == Bytes("7".utf8))
    #expect(try ask("failed").1.contains(#""effects":[]"#))
    #expect(try ask("retry", #"{"effect":"1/#0"}"#).0 == ErrorCode.notFound.rawValue)
    // It is an effect like others: it can fail again.
    fail(try #require(assignments.last))
    #expect(try ask("failed").1.contains(#""id":"3/#0","seq":4"#))
  }

  @Test(arguments: ["outcome", "plain"])
  mutating func `a trace says of an effect that it failed, and why`(action: String) throws {
    try failOne(action)
    let (_, trace) = try ask("trace", #"{"seq":1}"#)
    #expect(trace.contains(#""id":"1/#0","seq":1,"path":"/","operation":"op","state":"failed""#))
    #expect(trace.contains(#""message":"no: never""#), "\(trace)")
    // Time that passes afterwards belongs to no record.
    #expect(trace.contains(#""lat":1500000"#), "\(trace)")
  }

  @Test(arguments: ["outcome", "plain"])
  mutating func `what failed outlives a restart, and so does its other start`(action: String)
    throws
  {
    try failOne(action)
    try restart()
    #expect(try ask("failed").1.contains(#""id":"1/#0","seq":2"#))
    #expect(try ask("failed").1.contains(#""attempts":1"#))
    #expect(try ask("retry", #"{"effect":"1/#0"}"#).0 == 0)
    try restart()
    #expect(try ask("failed").1.contains(#""effects":[]"#))
    #expect(machine.sequencer?.effects.living.keys.map(\.description) == ["3/#0"])
  }

  @Test
  mutating func `K-1: a start that is set aside as poison starts nothing, and can be tried again`()
    throws
  {
    try failOne("outcome")
    isDeadly = true
    #expect(try ask("retry", #"{"effect":"1/#0"}"#).0 == ErrorCode.unavailable.rawValue)
    #expect(machine.quarantine.records.map(\.origin.word) == ["retry"])
    #expect(try ask("failed").1.contains(#""id":"1/#0","seq":2"#))
    isDeadly = false
    #expect(try ask("retry", #"{"effect":"1/#0"}"#).0 == 0)
    #expect(try ask("failed").1.contains(#""effects":[]"#))
  }

  @Test mutating func `who asked for a retry and is gone is forgotten`() throws {
    try failOne("outcome")
    _ = machine.handle(
      [
        .message(
          Self.client, .request(id: 1, verb: "retry", body: Bytes(#"{"effect":"1/#0"}"#.utf8)))
      ], at: ClockReading(monotonic: time, wall: time))
    #expect(machine.retries.count == 1)
    handle([.peerLost(Self.client)])
    #expect(machine.retries.isEmpty)
  }

  @Test mutating func `a retry of what did not fail is refused`() throws {
    #expect(try ask("retry", #"{"effect":"1/#0"}"#).0 == ErrorCode.notFound.rawValue)
    #expect(try ask("retry").0 == ErrorCode.malformed.rawValue)
  }

  private static func effect(_ sequence: UInt64, bytes: Int = 1) -> FailedEffect {
    var start = start(isOutcome: true)
    start.kind = .operation(
      name: "op", input: Bytes(repeating: 49, count: bytes),
      output: OutputCase(cases: ["done"], isOutcome: true), policy: EffectPolicy())
    return FailedEffect(
      id: EffectID(sequence: sequence - 1, path: .root, index: 0), start: start,
      sequence: sequence, correlation: 1, now: 5, attempts: 2,
      failure: Failure(code: "no", message: "never"))
  }

  @Test func `a checkpoint brings along what failed up to its cut; one of version 2 nothing`()
    throws
  {
    var failed = FailedEffects()
    for sequence in [3, 8, 9] as [UInt64] { failed.add(Self.effect(sequence)) }
    func checkpoint(_ failed: FailedEffects) throws -> Bytes {
      try Checkpoint(
        schemaHash: 1, part: RouterPart(sequence: 8, now: 2), state: Array("{}".utf8),
        sessions: [:], quarantine: Quarantine(), failed: failed
      ).encode()
    }
    var bytes = try checkpoint(failed)
    let decoded = try Checkpoint(decoding: bytes)
    #expect(decoded.failed.effects == [Self.effect(3), Self.effect(8)])
    #expect(try decoded.encode() == bytes)
    bytes = try checkpoint(FailedEffects())
    bytes[0] = 2
    bytes.removeLast(8)
    #expect(try Checkpoint(decoding: bytes).failed.effects.isEmpty)
  }

  @Test func `the oldest failed effects leave when there are too many or they are too large`() {
    var failed = FailedEffects()
    for sequence in 2...UInt64(FailedEffects.limit + 3) { failed.add(Self.effect(sequence)) }
    #expect(failed.effects.count == FailedEffects.limit)
    #expect(failed.effects.first?.sequence == 4)
    failed = FailedEffects()
    for sequence in 2...10 as ClosedRange<UInt64> {
      failed.add(Self.effect(sequence, bytes: 1 << 20))
    }
    #expect(failed.effects.count == 7)
  }
}
