@testable import Machines
import PenstockCore
import Testing
import Wire

/// What a peer that breaks the rules leaves behind: nothing.
@Suite struct RouterPeerTests {
  private static let worker = Message.hello(
    Hello(role: .worker, name: "worker-1", session: 1, slots: 4))
  private static let wrong = Message.submit(
    Submit(clientSequence: 1, path: .root, payload: Array("{}".utf8)))

  private static let running = RunningEffect(
    effect: EffectID(sequence: 1, path: .root, index: 0), attempt: Attempt(start: 1, number: 1))

  private var machine: RouterMachine
  private let clock = ClockReading(monotonic: 1, wall: 1)

  init() throws {
    machine = try RouterMachine(configuration: RouterConfiguration(), start: 1, entries: [])
  }

  private static func client(_ name: String, session: UInt64) -> Message {
    .hello(Hello(role: .client, name: name, session: session))
  }

  /// The codes of the refusals among the outputs, by peer.
  private static func refusals(_ outputs: [RouterOutput]) -> [PeerID: ErrorCode] {
    var found: [PeerID: ErrorCode] = [:]
    for case .send(let peer, .refused(let refusal)) in outputs { found[peer] = refusal.code }
    return found
  }

  private mutating func processes() throws -> String {
    let outputs = machine.handle(
      [
        .message(PeerID(9), Self.client("ps", session: 9)),
        .message(PeerID(9), .request(id: 1, verb: "ps", body: [])),
        .peerLost(PeerID(9)),
      ], at: clock)
    for case .send(_, .reply(_, 0, let body)) in outputs {
      return String(decoding: body, as: UTF8.self)
    }
    throw WireError(code: .notFound, message: "no answer")
  }

  @Test(arguments: [("", "null"), ("/a/journal.sqlite", #""/a/journal.sqlite""#)])
  mutating func `ps says where the journal is (9/CONTROL)`(path: String, text: String) throws {
    var configuration = RouterConfiguration()
    configuration.journal = path
    machine = try RouterMachine(configuration: configuration, start: 1, entries: [])
    #expect(try processes().contains(#","durable":true,"journal":\#(text),"now":"#))
  }

  @Test mutating func `a worker that is refused runs nothing any more`() throws {
    _ = machine.handle([.message(PeerID(1), Self.worker)], at: clock)
    #expect(try processes().contains("worker-1"))
    let outputs = machine.handle([.message(PeerID(1), Self.wrong)], at: clock)
    #expect(Self.refusals(outputs) == [PeerID(1): .wrongRole])
    #expect(try !processes().contains("worker-1"))
  }

  @Test(arguments: [
    Message.heartbeat(effect: running.effect, attempt: running.attempt, cursor: []),
    .output(
      WorkerOutput(
        effect: running.effect, attempt: running.attempt, index: 0, isFinal: false, value: [])),
    .effectEnded(
      effect: running.effect, attempt: running.attempt, index: 0, result: .finished),
  ])
  mutating func `what an attempt reports before recovery is over refuses it not`(
    report: Message
  ) throws {
    let hello = Hello(
      role: .worker, name: "worker-1", session: 1, slots: 4, running: [Self.running])
    let outputs = machine.handle(
      [.message(PeerID(1), .hello(hello)), .message(PeerID(1), report)], at: clock)
    let isRefused = outputs.contains {
      if case .send(_, .attemptRefused) = $0 { true } else { false }
    }
    #expect(!isRefused)
  }

  @Test mutating func `who was refused does not come back within the same burst`() throws {
    let outputs = machine.handle(
      [.message(PeerID(1), Self.wrong), .message(PeerID(1), Self.worker)], at: clock)
    #expect(Self.refusals(outputs) == [PeerID(1): .malformed])
    #expect(try !processes().contains("worker-1"))
  }

  @Test mutating func `a second hello ends the link`() throws {
    let outputs = machine.handle(
      [.message(PeerID(1), Self.worker), .message(PeerID(1), Self.client("c", session: 1))],
      at: clock)
    #expect(Self.refusals(outputs) == [PeerID(1): .malformed])
    let after = try processes()
    #expect(!after.contains("worker-1"))
    #expect(after.contains("\"clients\":1"))
  }

  @Test mutating func `ps counts peers that were refused and frames of no link`() throws {
    _ = machine.handle([.message(PeerID(1), Self.wrong)], at: clock)
    machine.linkCounters.malformed = 2
    machine.linkCounters.unknownVersion = 3
    machine.linkCounters.oversize = 4
    machine.linkCounters.stale = 5
    let text = try processes()
    #expect(text.contains(#""dropped":9,"links":{"malformed":2,"unknown-version":3,"#))
    #expect(text.contains(#""too-large":4,"stale":5,"duplicates":0,"resends":0,"refused":1}"#))
  }

  @Test mutating func `C-7: what is pinned to a generation is refused, not applied anyway`() {
    var pinned = Submit(clientSequence: 1, path: .root, payload: Array("{}".utf8))
    pinned.generation = Generation(sequence: 7, ordinal: 0)
    let outputs = machine.handle(
      [.message(PeerID(1), Self.client("c", session: 1)), .message(PeerID(1), .submit(pinned))],
      at: clock)
    var codes: [ErrorCode] = []
    for case .send(_, .outcome(let outcome)) in outputs {
      if case .refused(let refusal) = outcome.status { codes.append(refusal.code) }
    }
    #expect(codes == [.unsupported])
  }

  @Test mutating func `C-11: a session ends with goodbye, and not with its link`() {
    let hello = [
      RouterEvent.message(PeerID(1), Self.client("left", session: 1)),
      .message(PeerID(2), Self.client("lost", session: 2)),
      .message(PeerID(3), Self.client("there", session: 3)),
    ]
    _ = machine.handle(hello, at: clock)
    _ = machine.handle([.message(PeerID(1), .goodbye), .peerLost(PeerID(2))], at: clock)
    #expect(machine.sessions.keys.sorted() == [2, 3])
    machine.forgetAbsentSessions(now: 1 + RouterMachine.longestAbsence)
    #expect(machine.sessions.keys.sorted() == [2, 3])
    machine.forgetAbsentSessions(now: 2 + RouterMachine.longestAbsence)
    #expect(machine.sessions.keys.sorted() == [3])
  }

  @Test mutating func `C-11: when too many clients are away, the first are forgotten`() {
    let last = UInt64(RouterMachine.mostAbsent + 2)
    for id in 1...last {
      let now = ClockReading(monotonic: Int64(id), wall: Int64(id))
      let peer = PeerID(UInt32(id))
      _ = machine.handle(
        [.message(peer, Self.client("c", session: id)), .peerLost(peer)], at: now)
    }
    machine.forgetAbsentSessions(now: Int64(last))
    #expect(machine.sessions.count == RouterMachine.mostAbsent)
    #expect(machine.sessions[2] == nil && machine.sessions[3] != nil)
  }

  @Test mutating func `C-11: what a client left behind is settled before its session ends`() {
    var session = Session(name: "c", peer: PeerID(1))
    session.unsettled = 1
    machine.sessions[1] = session
    machine.leave(1, PeerID(1), isOver: true)
    #expect(machine.sessions[1] != nil)
    _ = machine.sessions[1]!.settle(1, .committed(sequence: 5, isUnmounted: false))
    machine.forgetIfOver(1)
    #expect(machine.sessions[1] == nil)
  }

  @Test mutating func `of two clients with one session the older is fenced`() {
    let outputs = machine.handle(
      [
        .message(PeerID(1), Self.client("a", session: 7)),
        .message(PeerID(2), Self.client("b", session: 7)),
      ], at: clock)
    #expect(Self.refusals(outputs) == [PeerID(1): .fenced])
  }

  @Test(arguments: [0, 4, 8, UInt64.max])
  func `a number that is not kept is not found`(sequence: UInt64) {
    var history = CommittedHistory()
    for sequence in UInt64(5)...7 {
      let record = OrderRecord(
        sequence: sequence, path: .root, payload: [], now: 0, seed: 0,
        origin: .client(session: 1, sequence: sequence), correlation: sequence)
      history.append(
        Committed(
          InFlight(record: record, minimumEpoch: .zero, ticket: 0, numberedAt: 0),
          Committed.Consequences()), source: "", latency: 0)
    }
    #expect(history.entry(of: 6)?.sequence == 6)
    #expect(history.entry(of: sequence) == nil)
  }
}
