import Machines
import PenstockCore
import Testing
import Wire

/// What a stage reads of a feature in another process (R15).
@Suite struct ReaderEdgeTests {
  static let root = 0
  static let owner = 1
  static let reader = 2
  static let third = 3
  static let name = SharedName(path: .root.appending("owner"), field: "value")

  /// A root with logic of its own, which may write to the owner, or without.
  private func bench(rootHasLogic: Bool = false) throws -> SequencerBench {
    var reader = LevelDescription(
      path: .root.appending("reader"), kind: .scope, statePath: ["reader"], hasLogic: true)
    reader.reads = [Self.name]
    let third = Path.root.appending("third")
    return try SequencerBench(
      levels: [
        LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: rootHasLogic),
        LevelDescription(path: Self.name.path, kind: .scope, statePath: ["owner"], hasLogic: true),
        reader,
        LevelDescription(path: third, kind: .scope, statePath: ["third"], hasLogic: true),
      ], placement: [Self.name.path, reader.path, third],
      states: [#"{"owner":{},"reader":{},"third":{}}"#, #"{"value":1}"#, "{}", "{}"])
  }

  private func setting(_ text: String, at path: [String] = ["value"]) -> Transition {
    var transition = Transition()
    transition.patch = Patch([PatchOperation(path: path, change: .set(Bytes(text.utf8)))])
    return transition
  }

  private func given(_ model: SequencerBench, _ sequence: UInt64) -> String? {
    model.works[Self.reader][sequence].map { work in
      work.shared.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }.joined()
    }
  }

  @Test func `a reader's work waits for its owner's answers below it (R15)`() throws {
    var model = try bench()
    try model.admit(2, at: "/owner")
    try model.admit(1, at: "/reader")
    try model.admit(1, at: "/owner")
    #expect(given(model, 3) == nil)
    model.answer(Self.owner, 1, setting("5"))
    #expect(given(model, 3) == nil)
    model.answer(Self.owner, 2, setting("6"))
    #expect(given(model, 3) == "/owner#value=6")
    // What the owner does later it is not given.
    model.answer(Self.owner, 4, setting("7"))
    #expect(given(model, 3) == "/owner#value=6")
    model.answer(Self.reader, 3)
    try model.admit(1, at: "/reader")
    #expect(given(model, 5) == "/owner#value=7")
    model.answer(Self.reader, 5)
    #expect(model.sequencer.isIdle)
  }

  @Test func `a reader runs ahead of what its owner has nothing to do with (R15)`() throws {
    var model = try bench()
    try model.admit(3, at: "/reader")
    #expect(given(model, 1) == "/owner#value=1")
    #expect(given(model, 3) == "/owner#value=1")
    // An owner waits for no reader.
    try model.admit(1, at: "/owner")
    #expect(model.works[Self.owner][4] != nil)
  }

  @Test func `a reader waits for the parents that may write to its owner (R15)`() throws {
    var model = try bench(rootHasLogic: true)
    try model.admit(1, at: "/owner")
    try model.admit(1, at: "/reader")
    model.answer(Self.owner, 1, setting("5"))
    // The root may write to the owner yet.
    #expect(given(model, 2) == nil)
    model.answer(Self.root, 1, setting("8", at: ["owner", "value"]))
    #expect(given(model, 2) == "/owner#value=8")
  }

  @Test func `a squash takes the reader's work back, and the value that it had (R4, R15)`() throws {
    var model = try bench()
    try model.admit(1, at: "/third")
    try model.admit(1, at: "/owner")
    try model.admit(1, at: "/reader")
    model.answer(Self.owner, 2, setting("5"))
    #expect(given(model, 3) == "/owner#value=5")
    let first = try #require(model.works[Self.reader][3]).epoch
    model.answer(Self.reader, 3)
    // 1 is void, so all above it is reduced again, the owner's record too.
    model.answer(Self.third, 1, .undecodable("no action"))
    #expect(model.works[Self.reader][3]?.epoch == first)
    model.answer(Self.owner, 2, setting("6"))
    #expect(given(model, 3) == "/owner#value=6")
    #expect(try #require(model.works[Self.reader][3]).epoch > first)
    model.answer(Self.reader, 3)
    #expect(model.marks == [.undecodable, nil, nil])
  }

  @Test func `what a void record of the owner had changed is not read (R6, R15)`() throws {
    var model = try bench()
    try model.admit(3, at: "/owner")
    try model.admit(1, at: "/reader")
    model.answer(Self.owner, 1, setting("5"))
    model.answer(Self.owner, 2, .tooLarge("a state"))
    // 2 was the head: it is void, and 3 is reduced without it.
    #expect(model.marks == [nil, .tooLarge])
    #expect(given(model, 4) == nil)
    model.answer(Self.owner, 3)
    #expect(given(model, 4) == "/owner#value=5")
  }

  @Test func `a restarted reader is given what it read (R15)`() throws {
    var model = try bench()
    try model.admit(1, at: "/reader")
    model.answer(Self.reader, 1)
    try model.admit(1, at: "/owner")
    model.answer(Self.owner, 2, setting("9"))
    #expect(model.sequencer.isIdle)
    model.die(Self.reader)
    model.start(Self.reader)
    let replayed = try #require(model.works[Self.reader][1])
    #expect(replayed.isReplay)
    #expect(given(model, 1) == "/owner#value=1")
  }

  @Test func `a value beyond its limit voids the reader's record (R15, N-11)`() throws {
    var model = try bench()
    try model.admit(1, at: "/owner")
    let long = String(repeating: "x", count: Limits.payload)
    model.answer(Self.owner, 1, setting(#""\#(long)""#))
    try model.admit(1, at: "/reader")
    #expect(model.marks == [nil, .tooLarge])
    #expect(model.committed[1].diagnostics[0].hasPrefix("/reader reads "))
    try model.admit(1, at: "/owner")
    model.answer(Self.owner, 3, setting("2"))
    try model.admit(1, at: "/reader")
    #expect(given(model, 4) == "/owner#value=2")
    model.answer(Self.reader, 4)
    #expect(model.sequencer.isIdle)
  }

  @Test func `what was numbered with another placement is not voided for its values (N-11)`() throws
  {
    let reader = Path.root.appending("reader")
    let long = Bytes("\"\(String(repeating: "x", count: Limits.payload))\"".utf8)
    var model = try bench()
    model.sequencer = Sequencer(
      topology: model.sequencer.topology, configuration: SequencerConfiguration(), start: 2)
    model.sequencer.restore(
      RouterPart(sequence: 0, now: 0),
      states: [Bytes(#"{"owner":{},"reader":{},"third":{}}"#.utf8)]
        + [Bytes(#"{"value":"#.utf8) + long + Bytes("}".utf8), Bytes("{}".utf8), Bytes("{}".utf8)],
      entries: [
        .record(
          OrderRecord(
            sequence: 1, path: reader, payload: [], now: 1, seed: 1,
            origin: .client(session: 1, sequence: 1), correlation: 1))
      ])
    for node in 0...3 { model.start(node) }
    #expect(model.works[Self.reader][1]?.shared.map(\.value) == [long])
    #expect(model.marks == [])
  }

  @Test func `an owner that is down keeps its reader waiting no longer than its deadline (R2)`()
    throws
  {
    var model = try bench()
    try model.admit(1, at: "/owner")
    try model.admit(1, at: "/reader")
    model.wait(0)
    model.die(Self.owner)
    #expect(given(model, 2) == nil)
    model.wait(3_000_000)
    #expect(given(model, 2) == "/owner#value=1")
    model.answer(Self.reader, 2)
    #expect(model.marks == [.unavailable, nil])
  }

  @Test func `a feature of the same process is asked there (R15)`() throws {
    var reader = LevelDescription(
      path: .root.appending("reader"), kind: .scope, statePath: ["reader"], hasLogic: true)
    reader.reads = [Self.name]
    let levels = [
      LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: false),
      LevelDescription(path: Self.name.path, kind: .scope, statePath: ["owner"], hasLogic: true),
      reader,
    ]
    var model = try SequencerBench(levels: levels, placement: [], states: ["{}"])
    try model.admit(2, at: "/reader")
    #expect(model.works[0][2]?.shared == [])
  }
}
