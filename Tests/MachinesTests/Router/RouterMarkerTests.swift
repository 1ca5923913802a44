@testable import Machines
import PenstockCore
import Testing
import Wire

/// A router with a root that is a process, and a client that follows it.
@Suite struct RouterMarkerTests {
  private static let (root, client, next) = (PeerID(1), PeerID(2), PeerID(3))

  private var machine: RouterMachine
  private var time: Int64 = 1
  private var markers: [PeerID: Marker] = [:]

  init() throws { try self.init(RouterConfiguration()) }

  private init(_ configuration: RouterConfiguration) throws {
    machine = try RouterMachine(configuration: configuration, start: 1, entries: [])
    _ = handle([
      .message(Self.root, Self.hello),
      .message(Self.root, .initialState(Bytes(#"{"n":0}"#.utf8), mounts: [])),
      .message(Self.root, .ready(sequence: 0)),
      .message(Self.client, .hello(Hello(role: .client, name: "c", session: 1))),
      .message(Self.client, .subscribe(id: 1, path: .root)),
    ])
  }

  private static var hello: Message {
    let level = LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true)
    let description = ApplicationDescription(name: "app", levels: [level], schemaHash: 5)
    return .hello(
      Hello(
        role: .feature, name: "/", session: 0, application: "app", schemaHash: 5,
        description: JSONWriter.bytes(of: description)))
  }

  /// Lets time pass, tells that everything is durable, and gives all that came of it.
  private mutating func handle(_ events: [RouterEvent]) -> [RouterOutput] {
    time += 10_000
    let clock = ClockReading(monotonic: time, wall: time)
    var outputs = machine.handle(events, at: clock)
    var ticket: UInt64 = 0
    for case .append(_, let last) in outputs { ticket = last }
    outputs += machine.handle([.journaled(ticket: max(ticket, 1)), .tick], at: clock)
    for case .send(let peer, .marker(let marker)) in outputs { markers[peer] = marker }
    return outputs
  }

  private mutating func marker(for peer: PeerID) throws -> Marker {
    for _ in 0..<20 where markers[peer] == nil { _ = handle([.tick]) }
    return try #require(markers[peer])
  }

  private mutating func answer(
    _ marker: Marker, _ peer: PeerID, _ body: StateMessage.Body
  ) -> [RouterOutput] {
    markers[peer] = nil
    return handle([
      .message(
        peer,
        .markerAnswer(
          MarkerAnswer(id: marker.id, sequence: marker.sequence, epoch: marker.epoch, body: body)))
    ])
  }

  @Test func `few records bring a checkpoint when they are large`() throws {
    var configuration = RouterConfiguration()
    configuration.checkpointBytes = 1_000
    var tests = try Self(configuration)
    _ = tests.answer(try tests.marker(for: Self.root), Self.root, .snapshot(Bytes("{}".utf8)))
    func checkpoints(_ outputs: [RouterOutput]) -> [UInt64] {
      outputs.flatMap { output -> [JournalEntry] in
        if case .append(let entries, _) = output { entries } else { [] }
      }.compactMap { if case .checkpoint(let sequence, _) = $0 { sequence } else { nil } }
    }
    for number in 1...4 as ClosedRange<UInt64> {
      let payload = Bytes(repeating: 32, count: 300)
      _ = tests.handle([
        .message(
          Self.client,
          .submit(Submit(clientSequence: number, path: .root, payload: payload)))
      ])
      _ = tests.handle([
        .message(
          Self.root,
          .answer(
            Answer(
              sequence: number, epoch: Epoch(start: 1, squash: 0), result: .reduced(Transition()))))
      ])
      let written = checkpoints(
        tests.answer(try tests.marker(for: Self.root), Self.root, .snapshot(Bytes("{}".utf8))))
      #expect(written.isEmpty == (number < 4))
    }
  }

  @Test(arguments: [
    StateMessage.Body.snapshot(Bytes("{".utf8)),
    .changes(from: 0, Patch([PatchOperation(path: ["none"], change: .remove)])),
  ])
  mutating func `S-11: a feature whose state can't be is refused, and another one is believed`(
    body: StateMessage.Body
  ) throws {
    let first = try marker(for: Self.root)
    let outputs = answer(first, Self.root, body)
    var codes: [ErrorCode] = []
    for output in outputs {
      switch output {
      case .send(Self.root, .refused(let refusal)): codes.append(refusal.code)
      case .send(Self.client, .state(let state)):
        // What the router itself knows of the state; nothing of the answer.
        #expect(state.body == .snapshot(Bytes(#"{"n":0}"#.utf8)))
      case .stop(let reason): Issue.record("\(reason)")
      default: break
      }
    }
    #expect(codes == [.malformed])

    _ = handle([
      .message(Self.next, Self.hello), .message(Self.next, .ready(sequence: 0)),
      .message(Self.client, .subscribe(id: 2, path: .root)),
    ])
    let second = try marker(for: Self.next)
    #expect(second.since == nil)
    var states: [StateMessage] = []
    for case .send(Self.client, .state(let state)) in answer(
      second, Self.next, .snapshot(Bytes(#"{"n":1}"#.utf8)))
    where state.subscription == 2 {
      states.append(state)
    }
    #expect(
      states == [StateMessage(subscription: 2, asOf: 0, body: .snapshot(Bytes(#"{"n":1}"#.utf8)))])
  }
}
