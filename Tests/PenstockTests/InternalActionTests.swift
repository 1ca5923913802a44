import Penstock
import Testing

/// Cases that only the feature itself and its effects may send (C-12).
@Suite(.timeLimit(.minutes(5))) struct InternalActionTests {
  let application = Application(TestApp(Bank(), Bank.State()))

  func store(_ time: ManualClock = ManualClock()) -> Store<TestApp<Bank>> {
    Store(TestApp(Bank(), Bank.State()), clock: time.clock, checksPurity: true)
  }

  @Test("A level lists its internal cases, and its description comes back from its text")
  func description() throws {
    let description = application.description
    #expect(description.levels[0].internalCases == ["hidden"])
    #expect(description.levels[1].internalCases == ["set", "cleared", "answer"])
    let read = try JSONReader.decode(
      ApplicationDescription.self, from: JSONWriter.bytes(of: description))
    #expect(read == description)
  }

  @Test(
    "The description finds internal cases however they are addressed (C-12)",
    arguments: [
      ("/", #"{"vault":{"set":1}}"#, "/vault", "set"),
      ("/vault", #"{"set":1}"#, "/vault", "set"),
      ("/vault", #" { "\u0073et" : 1 }"#, "/vault", "set"),
      ("/vault", #""cleared""#, "/vault", "cleared"),
      ("/vault", #""cleare\u0064""#, "/vault", "cleared"),
      ("/", #"{"sheet":{"presented":"cleared"}}"#, "/sheet", "cleared"),
      ("/", #"{"hidden":"ask"}"#, "/", "hidden"),
      ("/hidden", #""ask""#, "/", "hidden"),
    ])
  func found(path: String, payload: String, feature: String, name: String) throws {
    let description = application.description
    let sent = try #require(description.canonical(Path(path)!, Array(payload.utf8)))
    #expect(
      description.internalCase(sent.path, sent.payload)
        == InternalCase(path: Path(feature)!, name: name))
    #expect(
      application.internalCase(sent.path, sent.payload)
        == InternalCase(path: Path(feature)!, name: name))
  }

  @Test(
    "What is not internal is not found",
    arguments: [("/vault", #""ask""#), ("/", #"{"sheet":"dismiss"}"#), ("/", #""openSheet""#)])
  func allowed(path: String, payload: String) {
    let description = application.description
    #expect(description.internalCase(Path(path)!, Array(payload.utf8)) == nil)
    #expect(application.internalCase(Path(path)!, Array(payload.utf8)) == nil)
  }

  @Test("A store refuses an internal action, which gets no number")
  func refused() async throws {
    let store = store()
    let error = await #expect(throws: StoreError.self) {
      try await store.send(.vault(.set(5))).committed()
    }
    #expect(error?.code == .internalAction)
    #expect(
      error?.description == """
        the action at /vault was refused: “set” of /vault is internal: only that feature itself and \
        its effects send it [internal-action]
        """)
    #expect(store.diagnostics == ["\(error!)"])
    #expect(store.order.count == 1)
    await #expect(throws: StoreError.self) { try await store.send(.hidden(.ask)).finish() }
  }

  @Test("The feature's own sends, timers and operations use its internal cases")
  func own() async throws {
    let time = ManualClock()
    let store = store(time)
    try await store.send(.vault(.ask)).finish()
    store.send(.vault(.tick))
    #expect(store.state.vault.code == 7)
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    try await store.wait { $0.vault.code == 0 }
    #expect(store.state.vault.log == [#"success("2 is the number after 1")"#])
    #expect(store.diagnostics == [])
    store.send(.openSheet)
    store.send(.sheet(.dismiss))
    #expect(store.state.sheet == nil)
  }

  static func text(_ found: String) -> String {
    """
    / sends to a child, and \(found) is internal: only that feature itself and its effects send it. \
    Nothing was sent. Give the child another case for what its parents may ask of it, or remove \
    @Internal from this one.
    """
  }

  @Test("A parent sends no internal action of a child: not at once, not later, not as an output")
  func parent() async throws {
    let store = store()
    store.send(.openSheet)
    store.send(.reachIn)
    store.send(.reachLater)
    store.send(.reachByOutput)
    #expect(
      store.diagnostics == [
        Self.text("“set” of /vault"), Self.text("“cleared” of /sheet"),
        Self.text("“cleared” of /vault"), Self.text("“set” of /vault"),
        Self.text("“answer” of /vault"),
      ])
    #expect(store.state.seen == 0)
    // The timer of the delay is there, and starts nothing.
    #expect(try await store.effectsInFlight == 1)
    // The own case that hides a child hides it from others.
    store.send(.reachHidden)
    #expect(store.state.hidden.code == 7)
    store.send(.reachAsTold)
    #expect(store.state.vault.code == 7)
    #expect(store.diagnostics.count == 5)
  }

  @Test(
    "A parent in a process of its own sends none either",
    arguments: [[], ["/vault"], ["/vault", "/sheet"]])
  func placed(paths: [String]) throws {
    let placement = [Path.root] + paths.map { Path($0)! }
    let node = try application.node(at: .root, placement: placement)
    func run<Program: NodeProgram>(_ program: Program) throws -> Transition {
      var state = try program.makeInitialState(now: 0, seed: 0)
      let payload = Bytes(#""reachIn""#.utf8)
      return try program.reduce(
        &state, StageInput(sequence: 1, path: .root, payload: payload, now: 0, seed: 0))
    }
    let transition = try run(node)
    #expect(transition.sends == [])
    #expect(
      transition.diagnostics == [
        Self.text("“set” of /vault"), Self.text("“cleared” of /sheet"),
      ])
  }
}
