import Penstock
import Synchronization
import Testing

/// The numbers are those of the scenarios of TCA's users that Penstock keeps to.
/// A clock that stands still makes a failure wait for ever, hence the limit.
@Suite(.timeLimit(.minutes(5))) struct StoreQueueTests {
  func store(_ state: Counter.State = Counter.State()) -> Store<TestApp<Counter>> {
    Store(TestApp(Counter(), state), clock: ManualClock().clock, checksPurity: true)
  }

  @Test("1: sends are handled breadth first, in the order in which they were made")
  func fifo() {
    let store = store()
    store.send(.chain(["tap", "n1", "n2", "end"]))
    #expect(store.state.log == ["tap", "n1", "n2", "end"])
  }

  @Test("2: an action that sends itself 100,000 times needs no stack")
  func long() {
    let store = Store(TestApp(Counter(), Counter.State()), clock: ManualClock().clock)
    store.send(.countTo(100_000))
    #expect(store.state.count == 100_000)
  }

  @Test("3: an observer hears of the state once for all that follows from one send")
  func observer() {
    let store = store()
    let seen = Mutex<[Int]>([])
    store.observe { state in seen.withLock { $0.append(state.count) } }
    store.send(.sendAll([1, 2, 3]))
    #expect(seen.withLock { $0 } == [0, 3])
  }

  @Test("5: an observer that sends is heard, told of in order, and diagnosed")
  func reentrancy() {
    let store = store()
    let seen = Mutex<[Int]>([])
    store.observe { [weak store] state in
      seen.withLock { $0.append(state.count) }
      if state.count == 1 { store?.send(.set(0)) }
    }
    store.send(.set(1))
    #expect(seen.withLock { $0 } == [0, 1, 0])
    #expect(
      store.diagnostics == [
        """
        An observer sent an action to / while it was told of a state. The other observers see a \
        state that is old already: send actions from where something happens, not from observers.
        """
      ])
  }

  @Test("6: an effect is in flight from its start to its end, an action without one never")
  func inFlight() async throws {
    let time = ManualClock()
    let store = Store(TestApp(Counter(), Counter.State()), clock: time.clock)
    store.send(.increment)
    #expect(try await store.effectsInFlight == 0)
    store.send(.later(7))
    #expect(try await store.effectsInFlight == 1)
    await time.sleepers(1)
    time.advance(by: .seconds(2))
    try await store.wait { $0.count == 7 }
    #expect(try await store.effectsInFlight == 0)
  }

  @Test("10: awaiting what send returned includes everything that followed")
  func finish() async throws {
    let store = Store(TestApp(Counter(), Counter.State()), clock: .running)
    try await store.send(.ask(4)).finish()
    #expect(store.state.log == [#"success("4 is the number after 3")"#])
  }

  @Test("12: cancelling what send returned ends the action's own effects and no others")
  func cancelTask() async throws {
    let store = store()
    store.send(.forever)
    let task = store.send(.forever)
    #expect(try await store.effectsInFlight == 2)
    task.cancel()
    #expect(try await store.effectsInFlight == 1)
    store.send(.fanOut)
    #expect(try await store.effectsInFlight == 4)
    store.send(.stopAll)
    #expect(try await store.effectsInFlight == 0)
    try await store.settle()
  }

  @Test("12: cancelling the tree ends what the action's sends started too, and no other's")
  func cancelTree() async throws {
    let store = store()
    store.send(.forever)
    let task = store.send(.fanOut)
    #expect(try await store.effectsInFlight == 4)
    task.cancel()
    #expect(try await store.effectsInFlight == 4)
    task.cancelTree()
    #expect(try await store.effectsInFlight == 1)
    try await task.finish()
    let result = Store.replay(TestApp(Counter(), Counter.State()), store.order)
    #expect(result.divergence == nil)
    #expect(result.livingEffects.count == 1)
  }

  @Test("7: the effects of a store that is released are cancelled")
  func released() async {
    let time = ManualClock()
    var store: Store<TestApp<Counter>>? = Store(
      TestApp(Counter(), Counter.State()), clock: time.clock)
    store?.send(.startTimer)
    await time.sleepers(1)
    store = nil
    await time.sleepers(0)
  }

  @Test("What a store recorded is what the oracle derives (R1)")
  func oracle() async throws {
    let app = TestApp(Parent(), Parent.State())
    let store = Store(app, clock: .running)
    store.send(.present(1))
    store.send(.guest(.ask(1)))
    store.send(.guest(.fail(2)))
    store.send(.first(.sendAll([1, 2])))
    store.send(.addRow(3))
    try await store.send(.rows(.element(id: 3, action: .stream(4)))).finish()
    store.send(.rows(.element(id: 9, action: .increment)))
    try await store.settle()
    let result = Store.replay(app, store.order)
    #expect(result.divergence == nil)
    #expect(result.finalState == JSONWriter.bytes(of: store.state))
    #expect(result.livingEffects.isEmpty)
    #expect(result.unmounted.count == 1)
    #expect(result.unconsumedSends.isEmpty)
    #expect(Set(result.mounts.keys.map(\.description)) == ["/guest", "/rows/3"])
  }
}
