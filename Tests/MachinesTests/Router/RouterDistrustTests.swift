@testable import Machines
import PenstockCore
import Testing
import Wire

/// A feature whose state can't be is refused while the next cut is on its way already: readers wait for
/// a whole state, and are never told that there is none.
@Suite struct RouterDistrustTests {
  private static let (root, client, other) = (PeerID(1), PeerID(2), PeerID(3))
  private static let (child, next) = (PeerID(4), PeerID(5))

  private var machine: RouterMachine
  private var time: Int64 = 1
  private var markers: [PeerID: Marker] = [:]
  private var states: [StateMessage.Body] = []
  private var codes: [PeerID: ErrorCode] = [:]

  init() throws {
    var configuration = RouterConfiguration()
    configuration.placement = [Path("/a")!]
    machine = try RouterMachine(configuration: configuration, start: 1, entries: [])
  }

  private static func hello(_ name: String) -> Message {
    let description = ApplicationDescription(
      name: "app",
      levels: [
        LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
        LevelDescription(path: Path("/a")!, kind: .scope, statePath: ["a"], hasLogic: true),
      ], schemaHash: 5)
    return .hello(
      Hello(
        role: .feature, name: name, session: 0, application: "app", schemaHash: 5,
        description: JSONWriter.bytes(of: description)))
  }

  /// Lets time pass, and tells that everything is durable.
  private mutating func handle(_ events: [RouterEvent]) {
    time += 10_000
    let clock = ClockReading(monotonic: time, wall: time)
    var outputs = machine.handle(events, at: clock)
    var ticket: UInt64 = 1
    for case .append(_, let last) in outputs { ticket = last }
    outputs += machine.handle([.journaled(ticket: ticket), .tick], at: clock)
    for case .send(let peer, let message) in outputs {
      switch message {
      case .marker(let marker): markers[peer] = marker
      case .state(let state): states.append(state.body)
      case .refused(let refusal): codes[peer] = refusal.code
      default: break
      }
    }
  }

  private mutating func begin(_ state: String = #"{"a":{"n":0}}"#) {
    handle([
      .message(Self.root, Self.hello("/")),
      .message(Self.root, .initialState(Bytes(state.utf8), mounts: [])),
      .message(Self.root, .ready(sequence: 0)), .message(Self.child, Self.hello("/a")),
      .message(Self.child, .ready(sequence: 0)),
      .message(Self.client, .hello(Hello(role: .client, name: "c", session: 1))),
      .message(Self.client, .subscribe(id: 1, path: .root)),
    ])
  }

  private func answer(
    _ peer: PeerID, _ marker: Marker, _ body: StateMessage.Body
  ) -> RouterEvent {
    .message(
      peer,
      .markerAnswer(
        MarkerAnswer(id: marker.id, sequence: marker.sequence, epoch: marker.epoch, body: body)))
  }

  /// As a process that remembers what it answered: changes where it may say changes.
  private func honest(_ peer: PeerID, _ state: String) throws -> RouterEvent {
    let marker = try #require(markers[peer])
    guard marker.since == nil else { return answer(peer, marker, .changes(from: 0, Patch())) }
    return answer(peer, marker, .snapshot(Bytes(state.utf8)))
  }

  @Test mutating func `S-11: a cut on its way when a feature is refused is asked for whole`() throws
  {
    begin()
    for _ in 0..<3 where markers.count < 2 { handle([.tick]) }
    handle([
      try honest(Self.root, #"{"a":{"n":0}}"#), try honest(Self.child, #"{"n":0}"#),
    ])
    // Whoever comes now makes the router begin the next cut before it looks at this one's answers.
    handle([.message(Self.client, .subscribe(id: 2, path: .root))])
    let last = try #require(markers[Self.child])
    let nonsense = Patch([PatchOperation(path: ["none"], change: .remove)])
    states = []
    handle([
      try honest(Self.root, #"{"a":{"n":0}}"#),
      answer(Self.child, last, .changes(from: 0, nonsense)),
      .message(Self.client, .subscribe(id: 3, path: .root)),
    ])
    #expect(codes[Self.child] == .malformed)

    handle([.message(Self.next, Self.hello("/a")), .message(Self.next, .ready(sequence: 0))])
    for _ in 0..<6 {
      handle([.tick])
      var events = [try honest(Self.root, #"{"a":{"n":0}}"#)]
      if markers[Self.next] != nil { events.append(try honest(Self.next, #"{"n":0}"#)) }
      handle(events)
    }
    #expect(!states.isEmpty)
    #expect(!states.contains(.snapshot(nil)))
    #expect(states.contains(.snapshot(Bytes(#"{"a":{"n":0}}"#.utf8))))
  }

  @Test mutating func `an initial state that can't be is refused, and nothing is answered of it`() {
    begin("{")
    for _ in 0..<3 { handle([.tick]) }
    #expect(codes[Self.root] == .malformed)
    #expect(!machine.isReady && states.isEmpty)
  }

  @Test mutating func `only the root makes the initial state`() {
    handle([
      .message(Self.child, Self.hello("/a")),
      .message(Self.child, .initialState(Bytes("{}".utf8), mounts: [])),
    ])
    #expect(codes[Self.child] == .wrongRole)
    #expect(!machine.isReady)
  }
}
