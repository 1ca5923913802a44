@testable import Machines
import PenstockCore
import Testing
import Wire

/// What a router says of actions and effects that were not meant for it: a root, a client and a tap.
@Suite struct RouterIntegrationTests {
  private static let (root, client, worker) = (PeerID(1), PeerID(2), PeerID(3))

  private var machine: RouterMachine
  private var time: Int64 = 1
  private var work: [Work] = []
  private var outcomes: [ClientOutcome] = []
  private var diagnostics: [String] = []
  private var replies: [String] = []

  init() throws {
    machine = try RouterMachine(configuration: RouterConfiguration(), start: 1, entries: [])
    var level = LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true)
    level.internalCases = ["answer"]
    let description = ApplicationDescription(
      name: "app", levels: [level], operations: ["Listed"], schemaHash: 5)
    handle([
      .tapChanged(isListening: true, wantsPatches: false),
      .message(
        Self.root,
        .hello(
          Hello(
            role: .feature, name: "/", session: 0, application: "app", schemaHash: 5,
            description: JSONWriter.bytes(of: description)))),
      .message(Self.root, .initialState(Bytes(#"{"n":0}"#.utf8), mounts: [])),
      .message(Self.root, .ready(sequence: 0)),
      .message(Self.client, .hello(Hello(role: .client, name: "c", session: 1))),
    ])
  }

  private mutating func handle(_ events: [RouterEvent]) {
    time += 10_000
    let clock = ClockReading(monotonic: time, wall: time)
    var outputs = machine.handle(events, at: clock)
    var ticket: UInt64 = 1
    for case .append(_, let last) in outputs { ticket = max(ticket, last) }
    outputs += machine.handle([.journaled(ticket: ticket), .tick], at: clock)
    for output in outputs {
      switch output {
      case .send(Self.root, .work(let item)): work.append(item)
      case .send(Self.client, .outcome(let outcome)): outcomes.append(outcome)
      case .send(Self.client, .reply(_, let status, let body)):
        replies.append("\(status) \(String(decoding: body, as: UTF8.self))")
      case .tap(.action(let tap)): diagnostics += tap.diagnostics
      default: break
      }
    }
  }

  private mutating func submit(_ sequence: UInt64, _ payload: String) {
    handle([
      .message(
        Self.client,
        .submit(
          Submit(clientSequence: sequence, path: .root, payload: Bytes(payload.utf8))))
    ])
  }

  @Test(arguments: [#"{"answer":1}"#, #""answer""#, #" {"answe\u0072":1}"#])
  mutating func `C-12: an internal action of a client is refused, and has no number`(
    payload: String
  ) {
    submit(1, payload)
    #expect(
      outcomes == [
        ClientOutcome(
          clientSequence: 1,
          status: .refused(
            Refusal(
              code: .internalAction,
              message: """
                “answer” of / is internal: only that feature itself and its effects send it
                """)))
      ])
    #expect(work == [])
    // Its place is free for another one.
    submit(1, #""ask""#)
    #expect(work.map(\.sequence) == [1])
  }

  /// Lets the root start an operation in its first transition.
  private mutating func start(_ operation: String) throws {
    submit(1, #""ask""#)
    let item = try #require(work.first)
    var transition = Transition()
    transition.effects = [
      .start(
        EffectStart(
          path: .root,
          kind: .operation(
            name: operation, input: Bytes("{}".utf8),
            output: OutputCase(cases: ["answer"], isOutcome: false), policy: EffectPolicy()),
          cancelIDs: []))
    ]
    handle([
      .message(
        Self.root,
        .answer(
          Answer(sequence: item.sequence, epoch: item.epoch, result: .reduced(transition))))
    ])
  }

  @Test mutating func `an operation that nobody serves is diagnosed in the tap`() throws {
    try start("Forgotten")
    #expect(
      diagnostics == [
        """
        / started the operation “Forgotten”, and nobody serves it: it waits. Add its type to the \
        operations of the application, and start workers of that build.
        """
      ])
  }

  @Test mutating func `what the application names may wait for its worker`() throws {
    try start("Listed")
    #expect(diagnostics == [])
  }

  @Test mutating func `what a worker of another kind serves is served`() throws {
    handle([
      .message(
        Self.worker,
        .hello(
          Hello(
            role: .worker, name: "w", session: 1, application: "app", schemaHash: 5, slots: 4)))
    ])
    try start("Forgotten")
    #expect(diagnostics == [])
  }

  private mutating func cancel(_ body: String) {
    handle([
      .message(
        Self.client,
        .request(id: UInt32(replies.count + 1), verb: "cancel", body: Bytes(body.utf8)))
    ])
  }

  @Test mutating func `cancel ends what one record started, or what followed from an action`()
    throws
  {
    try start("Listed")
    cancel("{}")
    cancel(#"{"seq":1,"corr":1}"#)
    cancel(#"{"corr":2}"#)
    cancel(#"{"corr":1}"#)
    let malformed = #"1 {"message":"cancel needs {\"seq\": N} or {\"corr\": N}"}"#
    #expect(replies == [malformed, malformed, #"0 {"v":1,"ended":0}"#, #"0 {"v":1,"ended":1}"#])
    #expect(machine.sequencer?.effects.living.isEmpty == true)
  }
}
