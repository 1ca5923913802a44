@testable import Machines
import PenstockCore
import Testing
import Wire

/// What the router answers to `trace` while some of it is still on its way.
@Suite struct TraceTests {
  private static let (root, client) = (PeerID(1), PeerID(2))

  private var machine: RouterMachine
  private var time: Int64 = 1
  private var work: [Work] = []
  private var ticket: UInt64 = 0
  private var reply = ""

  init() throws {
    machine = try RouterMachine(configuration: RouterConfiguration(), start: 1, entries: [])
    let level = LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true)
    let description = ApplicationDescription(name: "app", levels: [level], schemaHash: 5)
    handle([
      .message(
        Self.root,
        .hello(
          Hello(
            role: .feature, name: "/", session: 0, application: "app", schemaHash: 5,
            description: JSONWriter.bytes(of: description)))),
      .message(Self.root, .initialState(Bytes("{}".utf8), mounts: [])),
      .message(Self.root, .ready(sequence: 0)),
      .message(Self.client, .hello(Hello(role: .client, name: "c", session: 1))),
    ])
    handle([.journaled(ticket: ticket)])
    handle([
      .message(
        Self.client,
        .submit(Submit(clientSequence: 1, path: .root, payload: Bytes(#""first""#.utf8))))
    ])
  }

  private mutating func handle(_ events: [RouterEvent]) {
    time += 10_000
    for output in machine.handle(events, at: ClockReading(monotonic: time, wall: time)) {
      switch output {
      case .append(_, let last): ticket = last
      case .send(Self.root, .work(let item)): work.append(item)
      case .send(Self.client, .reply(_, _, let body)):
        reply = String(decoding: body, as: UTF8.self)
      default: break
      }
    }
  }

  private mutating func answer(_ transition: Transition) throws {
    let item = try #require(work.last)
    handle([
      .message(
        Self.root,
        .answer(Answer(sequence: item.sequence, epoch: item.epoch, result: .reduced(transition))))
    ])
  }

  private static let question = RouterEvent.message(
    client, .request(id: 1, verb: "trace", body: Bytes(#"{"seq":1}"#.utf8)))

  @Test mutating func `what follows is counted until it is shown`() throws {
    var sending = Transition()
    sending.sends = [Send(path: .root, payload: Bytes(#""second""#.utf8))]
    let first = ticket
    try answer(sending)
    handle([.journaled(ticket: first)])
    var speaking = Transition()
    speaking.diagnostics = ["a sentence", String(repeating: "x", count: 2_000)]
    handle([Self.question])
    #expect(reply.contains(#""type":"first""#) && !reply.contains("second"))
    #expect(reply.contains(#""uncommitted":1"#))
    try answer(speaking)
    // That it is durable, and the question, come together.
    handle([.journaled(ticket: ticket), Self.question])
    #expect(!reply.contains("second") && reply.contains(#""uncommitted":1"#))
    handle([Self.question])
    #expect(reply.contains(#""type":"second""#) && reply.contains(#""uncommitted":0"#))
    let cut = String(repeating: "x", count: 1_024) + "…"
    #expect(reply.contains(#""diagnostics":["a sentence","\#(cut)"]"#))
  }
}
