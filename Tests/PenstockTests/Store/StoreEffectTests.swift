import Penstock
import Simulation
import Testing

/// A clock that stands still makes a failure wait for ever, hence the limit.
@Suite(.timeLimit(.minutes(5))) struct StoreEffectTests {
  func store(_ time: ManualClock = ManualClock()) -> Store<TestApp<Parent>> {
    Store(TestApp(Parent(), Parent.State()), clock: time.clock, checksPurity: true)
  }

  @Test("13: the effects of combined reducers are merged")
  func combined() async throws {
    let time = ManualClock()
    let store = Store(TestApp(Both(), Both.State()), clock: time.clock, checksPurity: true)
    store.send(.start)
    #expect(store.state == Both.State(count: 2))
    await time.sleepers(2)
    for second in 1...2 {
      time.advance(by: .seconds(1))
      try await store.wait { $0.fired.count == second }
      await time.sleepers(2 - second)
    }
    #expect(store.state.fired == [1, 2])
    #expect(try await store.effectsInFlight == 0)
  }

  @Test("51: ten thousand effects on a hundred ids, cancelled at random, leave nothing behind")
  func manyCancelled() async throws {
    let store = Store(TestApp(Crowd(), Crowd.State()), clock: ManualClock().clock)
    var random = SeededGenerator(seed: 51)
    for number in 0..<10_000 {
      store.send(.start(number % 100))
      if Int.random(in: 0..<10, using: &random) == 0 {
        store.send(.stop(Int.random(in: 0..<100, using: &random)))
      }
    }
    #expect(try await store.effectsInFlight > 0)
    for id in 0..<100 { store.send(.stop(id)) }
    #expect(try await store.effectsInFlight == 0)
    #expect(store.diagnostics.isEmpty)
  }

  @Test("14: a child's effects come back to that child alone")
  func scoped() {
    let store = store()
    store.send(.first(.decrement))
    #expect(store.state.first.count == 0)
    #expect(store.state.second.count == 0)
    #expect(store.state.seen == ["first -1", "first 0"])
  }

  @Test("16: an absent child's action reaches its parent's logic and is diagnosed (R3)")
  func absent() {
    let store = store()
    store.send(.guest(.increment))
    #expect(store.state.seen == ["guest nil"])
    #expect(
      store.diagnostics == [
        """
        An action came to /guest while its state is nil. Only the mounted parents saw it. Either a \
        parent removed the feature before its last action arrived, which is harmless for results of \
        effects, or the action was sent too early: send it after the state was set.
        """
      ])
  }

  @Test("17: a child's timer ends with the child")
  func timerOfChild() async throws {
    let time = ManualClock()
    let store = store(time)
    store.send(.present(1))
    store.send(.guest(.startTimer))
    for count in 1...2 {
      await time.sleepers(1)
      time.advance(by: .seconds(1))
      try await store.wait { $0.guest?.count == count }
    }
    await time.sleepers(1)
    store.send(.dismiss)
    #expect(try await store.effectsInFlight == 0)
    await time.sleepers(0)
  }

  @Test("18: an effect of a child with another id never reaches its successor (R8)")
  func successor() async throws {
    let time = ManualClock()
    let store = store(time)
    store.send(.present(1))
    store.send(.guest(.later(11)))
    await time.sleepers(1)
    store.send(.present(2))
    await time.sleepers(0)
    store.send(.guest(.later(22)))
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    try await store.wait { $0.guest?.count == 22 }
    #expect(try await store.effectsInFlight == 0)
  }

  @Test("30: presenting the same identity again lets its effects go on (R8)")
  func sameIdentity() async throws {
    let time = ManualClock()
    let store = store(time)
    store.send(.present(1))
    store.send(.guest(.startTimer))
    store.send(.present(1))
    #expect(try await store.effectsInFlight == 1)
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    try await store.wait { $0.guest?.count == 1 }
    store.send(.present(2))
    #expect(try await store.effectsInFlight == 0)
  }

  @Test("21, 22: an element's action changes that element; an absent one's is diagnosed")
  func elements() {
    let store = store()
    for id in 1...3 { store.send(.addRow(id)) }
    store.send(.rows(.element(id: 2, action: .increment)))
    #expect(store.state.rows.map(\.count) == [0, 1, 0])
    store.send(.rows(.element(id: 9, action: .increment)))
    #expect(store.state.seen == ["row 2", "row 9"])
    #expect(store.diagnostics.count == 1)
    #expect(store.diagnostics[0].hasPrefix("An action came to /rows/9, an element that is not"))
  }

  @Test("23: removing an element ends its timers and no other's")
  func elementTimers() async throws {
    let time = ManualClock()
    let store = store(time)
    for id in 1...2 {
      store.send(.addRow(id))
      store.send(.rows(.element(id: id, action: .startTimer)))
    }
    await time.sleepers(2)
    store.send(.removeRow(2))
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    try await store.wait { $0.rows[id: 1]?.count == 1 }
    #expect(try await store.effectsInFlight == 1)
  }

  @Test(
    "Cancel ids are namespaced by path: an ancestor reaches its descendants, no sibling does (R14)")
  func namespaces() async throws {
    let store = store()
    store.send(.first(.startTimer))
    store.send(.second(.startTimer))
    store.send(.first(.stopTimer))
    #expect(try await store.effectsInFlight == 1)
    store.send(.first(.startTimer))
    store.send(.stopAll)
    #expect(try await store.effectsInFlight == 0)
  }

  @Test("46: an effect that was cancelled in the action that started it never runs (R14)")
  func startAndStop() async throws {
    let store = store()
    store.send(.startAndStop)
    #expect(try await store.effectsInFlight == 0)
  }

  @Test("47: cancelInFlight replaces what runs under the id")
  func cancelInFlight() async throws {
    let store = Store(TestApp(Counter(), Counter.State()), clock: .running)
    for number in 1...20 { store.send(.ask(number)) }
    try await store.settle()
    #expect(store.state.log.last == #"success("20 is the number after 19")"#)
    let result = Store.replay(TestApp(Counter(), Counter.State()), store.order)
    #expect(result.divergence == nil)
  }

  @Test("A stream that fails goes on at its next output")
  func stream() async throws {
    let store = Store(TestApp(Counter(), Counter.State()), clock: .running)
    try await store.send(.stream(4)).finish()
    #expect(store.state.log == ["0", "1", "2", "3"])
  }

  @Test("52: a failure comes as an action, as a diagnostic where no case takes it")
  func failures() async throws {
    let store = Store(TestApp(Counter(), Counter.State()), clock: .running)
    try await store.send(.fail(3)).finish()
    #expect(store.state.log == ["3: no"])
    try await store.send(.failQuietly).finish()
    #expect(store.diagnostics.count == 1)
    #expect(
      store.diagnostics[0].hasSuffix(
        """
        failed (1: unheard), and no action says so. To hear of it let the case “quiet” hold an \
        Outcome.
        """))
    try await store.send(.cancelsItself).finish()
    #expect(store.state.log == ["3: no"])
    #expect(store.diagnostics.count == 1)
  }
}
