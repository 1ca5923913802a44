@testable import Penstock
import PenstockTesting
import Testing

struct OperatorTests {
  func store() -> TestStoreOf<Search> {
    TestStore(initialState: Search.State()) { Search() }
  }

  @Test("54: what is concatenated comes one after the other, what is merged together")
  func concatenate() async {
    for (action, times) in [(Search.Action.steps, [1, 3, 6]), (.together, [1, 2, 3])] {
      let store = store()
      store.exhaustivity = .off
      await store.send(action)
      var seconds = 0
      for (index, time) in times.enumerated() {
        await store.advance(by: .seconds(time - seconds) - .milliseconds(1))
        #expect(store.state.log.count == index)
        await store.advance(by: .milliseconds(1))
        await store.receive(\.fired, index + 1)
        seconds = time
      }
      #expect(store.state.log == [1, 2, 3])
    }
  }

  @Test("54: either with .none is the other; an operation may stand last")
  func none() async {
    let store = store()
    await store.send(.withNone)
    await store.receive(\.fired, 1) { $0.log = [1] }
    await store.receive(effect: Work(number: 1), answer: .output("done"))
    await store.receive(\.worked.success, "done")
    #expect(Effect<Search.Action>.concatenate(.none, .send(.steps)) == .send(.steps))
    #expect(Effect<Search.Action>.merge(.send(.steps), .none) == .send(.steps))
  }

  @Test("Times without end are cut off, and their sums don't overflow")
  func longTimes() {
    let huge = Duration.seconds(Int64.max)
    #expect(huge.boundedMicroseconds == Duration.longest)
    #expect(Duration.seconds(-5).boundedMicroseconds == 1)
    #expect(Duration.milliseconds(1_500).boundedMicroseconds == 1_500_000)
    let effect = Effect<Int>.after(huge, 1).delay(for: huge)
    _ = Effect<Int>.concatenate([effect, effect, effect, .every(huge, 1)])
    var throttle = Throttle()
    #expect(throttle.next(at: 1 << 51, interval: huge.boundedMicroseconds, latest: true) == .now)
    let turn = throttle.next(at: 1 << 52, interval: huge.boundedMicroseconds, latest: true)
    #expect(turn == .later(Duration.longest - (1 << 51)))
  }

  @Test("55: of what is debounced only the last comes, and nothing started before")
  func debounce() async {
    let store = store()
    await store.send(.typed(1))
    await store.advance(by: .milliseconds(500))
    await store.send(.typed(2))
    await store.advance(by: .milliseconds(500))
    await store.send(.typed(3))
    await store.advance(by: .milliseconds(999))
    await store.send(.limit(10))
    await store.advance(by: .milliseconds(1))
    await store.receive(\.fired, 3) { $0.log = [3] }
  }

  @Test("55: an operation that is debounced is not started before, and keeps its policy")
  func debouncedOperation() async {
    let store = store()
    await store.send(.work(1))
    await store.advance(by: .milliseconds(900))
    await store.send(.work(2))
    await store.advance(by: .milliseconds(900))
    await store.withExhaustivity(.off) {
      await store.skipInFlightEffects(strict: true)
    }
    await store.send(.work(3))
    await store.advance(by: .seconds(1))
    await store.receive(effect: Work(number: 3), answer: .output("three"))
    await store.receive(\.worked.success, "three")
    await store.send(.work(4))
    await store.advance(by: .seconds(1))
    await store.receive(effect: Work(number: 4))
    await store.send(.work(5))
    await store.advance(by: .seconds(1))
    await store.receive(effect: Work(number: 5), answer: .cancelled)
  }

  @Test("S-12: what a timer is to start is read as it was written, and no client's action")
  func deferredCoding() throws {
    let application = Application(TestApp(Search(), Search.State()))
    func run<Program: NodeProgram>(_ program: Program, _ input: StageInput) throws -> Transition {
      var state = try program.decode(Array("{}".utf8))
      return try program.reduce(&state, input)
    }
    func input(_ payload: Bytes) -> StageInput {
      StageInput(sequence: 1, path: .root, payload: payload, now: 0, seed: 0)
    }
    let node = try application.node(at: .root, placement: [.root])
    let first = try run(node, input(Array(#"{"work":7}"#.utf8)))
    guard case .start(let timer)? = first.effects.last,
      case .timer(1_000_000, false, let payload) = timer.kind
    else {
      Issue.record("No timer: \(first.effects)")
      return
    }
    var policy = EffectPolicy()
    policy.maximumAttempts = 3
    policy.timeout = 5_000_000
    policy.queue = "search"
    let second = try run(node, input(payload))
    #expect(
      second.effects == [
        .start(
          EffectStart(
            path: .root,
            kind: .operation(
              name: "work", input: Array(#"{"number":7}"#.utf8),
              output: OutputCase(cases: ["worked"], isOutcome: true), policy: policy),
            cancelIDs: timer.cancelIDs))
      ])
    #expect(second.patch.isEmpty)
    #expect(ReservedPayload.isReserved(payload))
    let wrapped = JSONScan.wrap(payload, in: ["sheet", "presented"])
    let found = TestApplication.inventory.program.description.canonical(.root, wrapped)
    #expect(found.map { ReservedPayload.isReserved($0.payload) } == true)
  }

  @Test("A delayed effect starts all of itself, and can be cancelled before and after")
  func delay() async {
    let store = store()
    await store.send(.save)
    await store.advance(by: .seconds(2))
    await store.receive(\.fired, 1) { $0.log = [1] }
    await store.receive(\.fired, 2) { $0.log = [1, 2] }
    await store.send(.typed(9))
    await store.advance(by: .seconds(1))
    await store.receive(\.fired, 9) { $0.log = [1, 2, 9] }
  }

  @Test(
    "56: what is throttled comes at once and then once in an interval", arguments: [true, false])
  func throttle(latest: Bool) async {
    let store = store()
    store.exhaustivity = .off
    func tap(_ number: Int) async {
      await store.send(latest ? .tapped(number) : .tappedFirst(number))
    }
    await tap(1)
    await store.receive(\.fired, 1)
    await tap(2)
    for number in 3...5 {
      await store.advance(by: .milliseconds(250))
      await tap(number)
    }
    #expect(store.state.log == [1])
    await store.advance(by: .milliseconds(250))
    await store.receive(\.fired, latest ? 5 : 2)
    await store.advance(by: .seconds(1))
    await tap(6)
    await store.receive(\.fired, 6)
    #expect(store.state.log == [1, latest ? 5 : 2, 6])
  }

  @Test("48: the ids of two types are different ids")
  func types() async {
    let store = store()
    await store.send(.start)
    await store.send(.stopFirst)
    await store.advance(by: .seconds(1))
    await store.receive(\.fired, 2) { $0.log = [2] }
    await store.send(.stopSecond)
  }

  @Test("onChange runs when its value changed, and not otherwise")
  func onChange() async {
    let store = store()
    await store.send(.limit(10))
    await store.send(.limit(20)) {
      $0.limit = 20
      $0.changes = ["10 → 20"]
    }
    await store.receive(\.fired, 20) { $0.log = [20] }
  }

  @Test("onChange around logic that observes some children keeps what each observes (R15)")
  func observing() async {
    let store = TestStore(initialState: SearchParent.State()) { SearchParent() }
    await store.send(.search(.fired(1))) {
      $0.search.log = [1]
      $0.seen = 1
      $0.changes = [1]
    }
    await store.send(.other(.fired(1))) {
      $0.other.log = [1]
      $0.seen = 11
      $0.changes = [1, 11]
    }
    await store.send(.search(.limit(10)))
    await store.send(.reset) {
      $0.seen = 22
      $0.changes = [1, 11, 22]
    }
    let description = Application(TestApp(SearchParent(), SearchParent.State())).description
    #expect(description.levels[0].observes == [["search", "fired"], ["other", "fired"]])
  }

  @Test("A binding sets a field by its name, before the logic that stands after it")
  func binding() async throws {
    let store = store()
    await store.send(.binding(.set(\.query, "penstock"))) {
      $0.query = "penstock"
      $0.count = 1
    }
    await store.send(.binding(.set(\.limit, 5))) { $0.limit = 5 }
    let bytes = JSONWriter.bytes(of: Search.Action.binding(.set(\.query, "x")))
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"binding":{"query":"x"}}"#)
    #expect(
      try JSONReader.decode(Search.Action.self, from: bytes) == .binding(.set(\.query, "x")))
  }

  @Test("A binding that fits no field changes nothing and is told")
  func unfit() throws {
    let store = Store(TestApp(Search(), Search.State()), clock: ManualClock().clock)
    let action = try JSONReader.decode(
      Search.Action.self, from: Array(#"{"binding":{"limit":"many"}}"#.utf8))
    store.send(action)
    #expect(store.state == Search.State())
    #expect(store.diagnostics.count == 1)
    #expect(store.diagnostics[0].hasPrefix("A binding of “limit” does not fit State: "))
  }

  @Test("_printChanges tells the action and the fields that changed")
  func changes() {
    var state = Search.State()
    state.query = "x"
    state.log = [1]
    #expect(
      ChangeText.text(of: Search.Action.typed(1), from: Search.State(), to: state) == """
        received {"typed":1}
          query: "x"
          log: [1]
        """)
    #expect(
      ChangeText.text(of: Search.Action.stopFirst, from: state, to: state)
        == "received \"stopFirst\"\n  (no change)")
  }
}
