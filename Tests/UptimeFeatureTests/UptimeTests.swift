import HTTPFeature
import Penstock
import Synchronization
import Testing
import UptimeFeature

@Suite struct UptimeTests {
  /// What the targets answer, by URL.
  private final class Web: Sendable {
    private let answers = Mutex<[String: (status: Int, body: String)]>([:])

    func set(_ url: String, _ status: Int, _ body: String = "all is well") {
      answers.withLock { $0[url] = (status, body) }
    }

    var client: HTTPClient {
      HTTPClient { url, _ in
        guard let answer = self.answers.withLock({ $0[url] }) else {
          throw Failure(code: "http", message: "no route to \(url)")
        }
        return HTTPClient.Response(status: answer.status, body: answer.body, latency: 250)
      }
    }
  }

  private let web = Web()
  private let clock = ManualClock()

  private func makeStore() -> Store<UptimeApp> {
    var dependencies = DependencyValues()
    dependencies[HTTPClient.self] = web.client
    return Store(
      UptimeApp(), clock: clock.storeClock, dependencies: dependencies, checksPurity: true)
  }

  /// Suspends until the store's state is as wanted: effects run as tasks.
  private func until(
    _ store: Store<UptimeApp>, _ isAsWanted: @escaping @Sendable (Uptime.State) -> Bool
  ) async {
    let states = AsyncStream { continuation in store.observe { continuation.yield($0) } }
    for await state in states where isAsWanted(state) { return }
  }

  /// The next probe of a target, counted from the first.
  private func probe(_ store: Store<UptimeApp>, _ id: String, _ count: Int) async {
    if count > 1 { store.send(.targets(.rows(.element(id: id, action: .probe)))) }
    await until(store) { $0.targets.rows[id: id]?.probes == count }
  }

  @Test func `a target that answers is up`() async {
    let store = makeStore()
    web.set("http://a", 200)
    store.send(.targets(.add(NewTarget(url: "http://a", name: "a"))))
    #expect(store.state.totals == totals(suspect: 1))
    await probe(store, "a", 1)
    #expect(store.state.targets.rows[id: "a"]?.health.status == .up)
    #expect(store.state.targets.rows[id: "a"]?.latency == 250)
    #expect(store.state.totals == totals(up: 1))
    #expect(store.state.alerts == nil)
  }

  @Test func `three failures bring an alert and an incident, a success ends both`() async {
    let store = makeStore()
    web.set("http://a", 503)
    store.send(.targets(.add(NewTarget(url: "http://a", name: "a"))))
    for count in 1...3 { await probe(store, "a", count) }
    #expect(store.state.totals == totals(down: 1, incidents: 1))
    #expect(store.state.alerts?.rows.map(\.id) == ["a"])
    #expect(store.state.incidents.map(\.reason) == ["status 503 instead of 200"])
    #expect(store.state.incidents.map(\.until) == [nil])

    store.send(.alerts(.acknowledge("a")))
    #expect(store.state.alerts?.rows[id: "a"]?.isAcknowledged == true)

    web.set("http://a", 200)
    await probe(store, "a", 4)
    #expect(store.state.alerts == nil)
    #expect(store.state.totals == totals(up: 1, incidents: 1))
    #expect(store.state.incidents.first?.until != nil)
  }

  @Test func `a missing text is a failure`() async {
    let store = makeStore()
    web.set("http://a", 200, "out of order")
    var settings = ProbeSettings()
    settings.expectedText = "well"
    store.send(.settings(.change(settings)))
    store.send(.targets(.add(NewTarget(url: "http://a", name: "a"))))
    await probe(store, "a", 1)
    #expect(store.state.targets.rows[id: "a"]?.reason == "the text \"well\" is missing")
  }

  @Test func `settings reach the targets that are added afterwards`() {
    let store = makeStore()
    store.send(.targets(.add(NewTarget(url: "http://a"))))
    store.send(.settings(.setInterval(700)))
    store.send(
      .targets(.load([NewTarget(url: "http://b"), NewTarget(url: "http://c", interval: 9)])))
    #expect(store.state.targets.rows.map(\.settings.interval) == [5000, 700, 9])
  }

  @Test func `a target is probed at its interval`() async {
    let store = makeStore()
    web.set("http://a", 200)
    store.send(.targets(.add(NewTarget(url: "http://a", name: "a", interval: 1000))))
    await probe(store, "a", 1)
    for count in 2...4 {
      // The timer's task may not sleep yet: time goes on until it has.
      while (store.state.targets.rows[id: "a"]?.probes ?? count) < count {
        clock.advance(milliseconds: 1000)
        await Task.yield()
      }
    }
    #expect(store.state.targets.rows[id: "a"]?.failures == 0)
  }

  @Test func `what is removed is not probed any more and counts nowhere`() async throws {
    let store = makeStore()
    web.set("http://gone", 404)
    store.send(.targets(.add(NewTarget(url: "http://gone", name: "gone"))))
    for count in 1...3 { await probe(store, "gone", count) }
    #expect(store.state.totals.down == 1)
    store.send(.targets(.remove("gone")))
    #expect(store.state.totals == totals(incidents: 1))
    #expect(store.state.alerts == nil)
    #expect(try await store.effectsInFlight == 0)
  }

  @Test func `only ended incidents are cleared`() async {
    let store = makeStore()
    for id in ["a", "b"] {
      web.set("http://\(id)", 500)
      store.send(.targets(.add(NewTarget(url: "http://\(id)", name: id))))
      for count in 1...3 { await probe(store, id, count) }
    }
    store.send(.targets(.remove("a")))
    store.send(.clearIncidents)
    #expect(store.state.incidents.map(\.target) == ["b"])
  }

  private func totals(
    up: Int = 0, suspect: Int = 0, down: Int = 0, incidents: Int = 0
  ) -> Totals {
    var totals = Totals()
    totals.up = up
    totals.suspect = suspect
    totals.down = down
    totals.incidents = incidents
    return totals
  }
}
