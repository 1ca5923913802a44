@testable import Machines
import PenstockCore
import Testing
import Wire

/// A journal of another schema: what the router asks of the root, and what it keeps (J-14).
@Suite struct StateMigrationTests {
  private static let root = PeerID(1)
  private static let sheet = Path("/sheet")!
  private static let other = Path("/other")!

  private static func effect(_ path: Path) -> EffectID {
    EffectID(sequence: 5, path: path, index: 0)
  }

  private static func living(_ path: Path) -> EffectRegistry.Living {
    let kind = EffectStart.Kind.timer(interval: 1_000, isRepeating: true, payload: [])
    return EffectRegistry.Living(
      start: EffectStart(path: path, kind: kind), correlation: 5, startedAt: 0)
  }

  /// As of record 9 a sheet and another feature were mounted, and each had a timer.
  private static func checkpoint(description: Bytes) -> Checkpoint {
    var part = RouterPart(sequence: 9, now: 50)
    for path in [sheet, other] {
      part.mounts[path] = MountTable.Mount(
        id: "some", generation: Generation(sequence: 3, ordinal: 0))
    }
    for path in [Path.root, sheet, other, Path("/gone")!] {
      part.living[effect(path)] = living(path)
    }
    return Checkpoint(
      schemaHash: 4, part: part, state: Bytes(#"{"old":1}"#.utf8), sessions: [:],
      quarantine: Quarantine(), description: description)
  }

  private static func hello() -> Hello {
    let levels = [
      LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
      LevelDescription(path: sheet, kind: .optional, statePath: ["sheet"], hasLogic: true),
      LevelDescription(path: other, kind: .optional, statePath: ["other"], hasLogic: true),
    ]
    return Hello(
      role: .feature, name: "/", session: 0, application: "app", schemaHash: 5,
      description: JSONWriter.bytes(
        of: ApplicationDescription(name: "app", levels: levels, schemaHash: 5)))
  }

  private static let clock = ClockReading(monotonic: 100, wall: 100)

  private func outputs(
    _ entries: [JournalEntry], replaysWithNewCode: Bool = false
  ) throws -> (RouterMachine, [RouterOutput]) {
    var configuration = RouterConfiguration()
    configuration.replaysWithNewCode = replaysWithNewCode
    var machine = try RouterMachine(configuration: configuration, start: 2, entries: entries)
    let outputs = machine.handle([.message(Self.root, .hello(Self.hello()))], at: Self.clock)
    return (machine, outputs)
  }

  private func refusal(_ outputs: [RouterOutput]) -> Refusal? {
    for case .send(Self.root, .refused(let refusal)) in outputs { return refusal }
    return nil
  }

  @Test func `the root migrates the state, and what is mounted as before keeps its effects (J-14)`()
    throws
  {
    let old = Bytes("{}".utf8)
    let body = try Self.checkpoint(description: old).encode()
    var (machine, outputs) = try outputs([.checkpoint(sequence: 9, body: body)])
    let asked = outputs.contains {
      if case .send(Self.root, .migrateState(Bytes(#"{"old":1}"#.utf8), from: old)) = $0 {
        true
      } else {
        false
      }
    }
    #expect(asked)
    let mounts = [
      MountChange(path: Self.sheet, before: nil, after: "some"),
      MountChange(path: Self.other, before: nil, after: "another"),
    ]
    outputs = machine.handle(
      [.message(Self.root, .initialState(Bytes(#"{"new":1}"#.utf8), mounts: mounts))],
      at: Self.clock)
    var written: [Checkpoint] = []
    for case .append(let entries, _) in outputs {
      for case .checkpoint(9, let body) in entries {
        written.append(try Checkpoint(decoding: body))
      }
    }
    let checkpoint = try #require(written.first)
    #expect(checkpoint.schemaHash == 5 && checkpoint.state == Bytes(#"{"new":1}"#.utf8))
    #expect(
      try JSONReader.decode(ApplicationDescription.self, from: checkpoint.description).levels.count
        == 3)
    #expect(
      checkpoint.part.mounts.mapValues(\.generation) == [
        Self.sheet: Generation(sequence: 3, ordinal: 0),
        Self.other: Generation(sequence: 9, ordinal: 1),
      ])
    #expect(Set(checkpoint.part.living.keys) == [Self.effect(.root), Self.effect(Self.sheet)])
    let reset = outputs.contains {
      if case .send(Self.root, .reset(9, _, Bytes(#"{"new":1}"#.utf8)?)) = $0 {
        true
      } else {
        false
      }
    }
    #expect(reset)
    // The next start finds a state of its schema.
    let (_, next) = try self.outputs([.checkpoint(sequence: 9, body: try checkpoint.encode())])
    let resets = next.contains { if case .send(Self.root, .reset) = $0 { true } else { false } }
    #expect(resets)
  }

  @Test func `when nobody migrates, the build that wrote the journal may come (J-14)`() throws {
    let body = try Self.checkpoint(description: Bytes("{}".utf8)).encode()
    var (machine, _) = try outputs([.checkpoint(sequence: 9, body: body)])
    let worker = Hello(
      role: .worker, name: "w", session: 3, application: "app", schemaHash: 5,
      queues: ["default"], slots: 1)
    _ = machine.handle([.message(PeerID(2), .hello(worker))], at: Self.clock)
    _ = machine.handle([.peerLost(Self.root)], at: Self.clock)
    var hello = Self.hello()
    hello.schemaHash = 4
    let outputs = machine.handle([.message(PeerID(3), .hello(hello))], at: Self.clock)
    let resets = outputs.contains { if case .send(PeerID(3), .reset) = $0 { true } else { false } }
    #expect(resets)
    // The other build's worker is none for it.
    let refused = outputs.contains {
      if case .send(PeerID(2), .refused(let refusal)) = $0 {
        refusal.code == .schemaMismatch
      } else {
        false
      }
    }
    #expect(refused)
  }

  @Test func `records after the checkpoint, and one without a description, are in the way (J-14)`()
    throws
  {
    let body = try Self.checkpoint(description: Bytes("{}".utf8)).encode()
    let record = OrderRecord(
      sequence: 10, path: .root, payload: [], now: 60, seed: 0,
      origin: .client(session: 1, sequence: 1), correlation: 10)
    let entries = [JournalEntry.checkpoint(sequence: 9, body: body), .record(record)]
    let refused = refusal(try outputs(entries).1)
    #expect(refused?.code == .schemaMismatch)
    #expect(refused?.message.contains("1 records stand after the last checkpoint") == true)
    #expect(refusal(try outputs(entries, replaysWithNewCode: true).1) == nil)
    let older = try Self.checkpoint(description: []).encode()
    let refusedOlder = refusal(try outputs([.checkpoint(sequence: 9, body: older)]).1)
    #expect(refusedOlder?.message.contains("start the build that wrote it") == true)
  }
}
