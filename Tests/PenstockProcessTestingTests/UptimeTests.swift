import HarnessSupport
import Penstock
import PenstockCore
import PenstockTesting
import Testing
import UptimeFeature

/// Elements of a collection, an optional feature that its parent presents and takes away, time from the
/// order, and timers that are alive.
@Suite(.serialized) struct UptimeTests {
  @Test(arguments: Harness.allCases)
  func `a target that fails is an incident until it answers`(harness: Harness) async throws {
    try await harness.run(UptimeApp(), executable: "uptime") { store in
      store.exhaustivity = .off
      await store.send(.settings(.setInterval(3_600_000)))
      await store.send(.targets(.add(NewTarget(url: "http://a", name: "a"))))
      for count in 1...3 {
        if count > 1 { await store.send(.targets(.rows(.element(id: "a", action: .probe)))) }
        await store.skipReceivedActions(strict: false)
        await answer(store, isUp: false)
        await store.skipReceivedActions()
        #expect(store.state.targets.rows[id: "a"]?.probes == count)
      }
      #expect(store.state.totals.down == 1)
      #expect(store.state.alerts?.rows.map(\.id) == ["a"])
      #expect(store.state.incidents.map(\.until) == [nil])

      await store.send(.targets(.rows(.element(id: "a", action: .probe))))
      await answer(store, isUp: true)
      await store.skipReceivedActions()
      #expect(store.state.alerts == nil)
      #expect(store.state.totals.up == 1)
      #expect(store.state.incidents.first?.until != nil)
      await store.skipInFlightEffects()
      await store.finish()
    }
  }

  private nonisolated(nonsending) func answer(_ store: TestStoreOf<Uptime>, isUp: Bool) async {
    let settings = store.state.settings.defaults
    await store.receive(
      effect: Probe(
        url: "http://a", timeout: settings.timeout, expectedStatus: settings.expectedStatus,
        expectedText: settings.expectedText),
      answer: .output(ProbeResult(isUp: isUp, latency: 7, reason: isUp ? "" : "status 503")))
  }
}
