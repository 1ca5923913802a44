import CounterFeature
import HTTPFeature
import Penstock
import Testing

@Suite struct CounterTests {
  private func store(
    fact: @escaping @Sendable (String) async throws -> HTTPClient.Response = { url in
      HTTPClient.Response(status: 200, body: "about \(url)", latency: 1)
    }
  ) -> Store<CounterApp> {
    var dependencies = DependencyValues()
    dependencies[HTTPClient.self] = HTTPClient { url, _ in try await fact(url) }
    dependencies[NumberService.self] = NumberService(url: "http://numbers")
    let clock = StoreClock(
      now: { 1_000_000 },
      sleep: { try await Task.sleep(for: .microseconds($0 - 1_000_000)) })
    return Store(CounterApp(), clock: clock, dependencies: dependencies, checksPurity: true)
  }

  @Test func `the counters count for themselves`() {
    let store = store()
    store.send(.left(.increment))
    store.send(.left(.increment))
    store.send(.right(.decrement))
    #expect(store.state.left.count == 2)
    #expect(store.state.right.count == -1)
  }

  @Test func `an action re-sends another`() {
    let store = store()
    store.send(.left(.incrementTwice))
    #expect(store.state.left.count == 2)
  }

  @Test func `the parent resets both`() {
    let store = store()
    store.send(.left(.increment))
    store.send(.right(.incrementTwice))
    store.send(.resetAll)
    #expect(store.state.left == Counter.State())
    #expect(store.state.right == Counter.State())
    #expect(store.state.resets == 1)
  }

  @Test func `a fact comes from the service`() async throws {
    let store = store()
    store.send(.left(.increment))
    try await store.send(.left(.askFact)).finish()
    #expect(store.state.left.fact == "about http://numbers/1")
    #expect(!store.state.left.isLoading)
    #expect(store.state.right.fact == nil)
  }

  @Test func `a failure of the service is told`() async throws {
    let store = store { _ in HTTPClient.Response(status: 500, body: "", latency: 1) }
    store.send(.right(.askFact))
    try await store.settle()
    #expect(store.state.right.fact?.contains("the number service answered 500") == true)
    #expect(!store.state.right.isLoading)
  }

  @Test func `a question can be taken back`() async throws {
    let store = store { _ in
      try await Task.sleep(for: .seconds(3600))
      return HTTPClient.Response(status: 200, body: "too late", latency: 1)
    }
    store.send(.left(.askFact))
    #expect(store.state.left.isLoading)
    #expect(try await store.effectsInFlight == 1)
    store.send(.left(.cancelFact))
    #expect(!store.state.left.isLoading)
    #expect(try await store.effectsInFlight == 0)
  }
}
