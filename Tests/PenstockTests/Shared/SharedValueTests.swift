import Penstock
import Simulation
import Testing

/// Values that one feature owns and others read (R15).
struct SharedValueTests {
  @Test func `a reader is given what its owner has (R15)`() {
    let store = Store(HouseApp(), clock: ManualClock().clock)
    store.send(.heating(.set(22)))
    store.send(.panel(.refresh))
    #expect(store.state.panel.shown == "22 -")
    store.send(.heating(.name("eco")))
    #expect(store.state.panel.shown == "22 -")
    store.send(.panel(.refresh))
    store.send(.heating(.log(.write)))
    #expect(store.state.panel.shown == "22 eco")
    #expect(store.state.panel.changes == 2)
    #expect(store.state.heating.log.lines == ["22 eco"])
  }

  @Test func `in its owner's own record a value is what it was before (R15)`() {
    let store = Store(HouseApp(), clock: ManualClock().clock)
    store.send(.heating(.set(22)))
    #expect(store.state.heating.target == 22)
    #expect(store.state.seen == [20])
    store.send(.heating(.set(23)))
    #expect(store.state.seen == [20, 22])
  }

  @Test func `a value is written by an action to its owner`() {
    let store = Store(HouseApp(), clock: ManualClock().clock)
    store.send(.panel(.warmer(3)))
    #expect(store.state.heating.target == 23)
    store.send(.addRoom(1))
    store.send(.rooms(.element(id: 1, action: .warmer(1))))
    store.send(.rooms(.element(id: 1, action: .refresh)))
    #expect(store.state.heating.target == 24)
    #expect(store.state.rooms[id: 1]?.shown == "24 -")
  }

  @Test(
    "Readers do as in the oracle, wherever they and owners are (R15)",
    arguments: TestApplication.house.placements)
  func placements(placement: [Path]) throws {
    for seed in 0..<3 {
      var run = try RandomRun(HouseApp(), .house, seed: UInt64(seed), placement: placement)
      for _ in 0..<200 { try run.step() }
      let result = run.application.replay(run.order, statesAt: [])
      #expect(result.divergence == nil)
      #expect(result.finalState == run.lockStep.merged.encode())
    }
  }

  @Test func `the description lists what is read`() throws {
    let description = Application(HouseApp()).description
    let target = try #require(SharedName("/heating#target"))
    let both = [try #require(SharedName("/heating#mode")), target]
    #expect(description.level(addressed: Path("/panel")!)?.reads == both)
    #expect(description.level(addressed: Path("/rooms/7")!)?.reads == both)
    #expect(description.level(addressed: Path("/heating")!)?.reads == [])
    #expect(description.levels[0].reads == [target])
    let bytes = JSONWriter.bytes(of: description)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""reads":["/heating#target"]"#))
    #expect(try JSONReader.decode(ApplicationDescription.self, from: bytes) == description)
  }

  @Test func `a stage that is not given what it reads is refused (N-11)`() throws {
    let program = Application(HouseApp())
    let path = Path("/panel")!
    let panel = try program.node(at: path, placement: [.root, path])
    func run<Program: NodeProgram>(
      _ program: Program, _ shared: [SharedReading]
    ) throws -> String {
      var state = try program.decode(Array("{}".utf8))
      _ = try program.reduce(
        &state,
        StageInput(
          sequence: 1, path: path, payload: Array(#""refresh""#.utf8), now: 0, seed: 0,
          shared: shared))
      return String(decoding: program.encode(state), as: UTF8.self)
    }
    func reading(_ field: String, _ value: String) -> SharedReading {
      SharedReading(
        name: SharedName(path: Path("/heating")!, field: field), value: Array(value.utf8))
    }
    let mode = reading("mode", #""eco""#)
    let missing = #expect(throws: UndecodableError.self) { try run(panel, [mode]) }
    #expect(missing?.description == "/panel reads /heating#target and was not given it")
    let other = #expect(throws: UndecodableError.self) {
      try run(panel, [mode, reading("target", "{}")])
    }
    #expect(
      other?.description.hasPrefix("The value of /heating#target is not a Int: ") == true)
    #expect(
      try run(panel, [mode, reading("target", "7")]) == #"{"id":0,"shown":"7 eco","changes":1}"#)
    // An owner without a value of an optional one.
    #expect(
      try run(panel, [reading("mode", "null"), reading("target", "7")]).contains(#""7 -""#))
  }

  @Test(
    "What nobody can be given is refused with the reason",
    arguments: [
      (
        SharedValue("/attic", \Heating.State.target).read,
        """
        house has no feature at /attic; it has / /heating /heating/log /panel /rooms/*
        """
      ),
      (
        SharedValue("/rooms/1", \Panel.State.shown).read,
        "house has no feature at /rooms/1; it has / /heating /heating/log /panel /rooms/*"
      ),
      (
        SharedValue("/panel", \Heating.State.target).read,
        "the state of /panel is not a PenstockTests.Heating.State"
      ),
      (
        SharedValue("/heating", \Heating.State.log).read,
        "the field holds the state of /heating/log; share a field of that feature"
      ),
    ])
  func obstacles(read: SharedRead, reason: String) {
    #expect(Application(HouseApp()).obstacle(to: read) == reason)
  }

  @Test func `an owner that comes and goes shares nothing`() {
    let application = Application(TestApp(Parent(), Parent.State()))
    #expect(
      application.obstacle(to: SharedValue("/guest", \Counter.State.count).read)
        == "/guest is not always there, and a reader needs a value")
  }

  @Test("A name is written and read", arguments: ["/settings#interval", "/#total", "/a%2Fb#x"])
  func names(text: String) throws {
    let name = try #require(SharedName(text))
    #expect(name.description == text)
  }

  @Test("What is no name is refused", arguments: ["", "/a", "a#b", "/a#", "#b"])
  func noNames(text: String) { #expect(SharedName(text) == nil) }
}
