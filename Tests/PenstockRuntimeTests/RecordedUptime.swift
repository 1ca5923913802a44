// Written by “penstock export -o swift-test”. “swift format” breaks its lines.
// swift-format-ignore-file
import Penstock
import PenstockTesting
import Testing
import UptimeFeature

@Test func `uptime, records 1 to 7`() async throws {
  let store = TestStore(UptimeApp())
  await store.send(.settings(.setInterval(1000))) {
    $0.settings.defaults.interval = 1000
    $0.targets.defaults.interval = 1000
  }
  await store.send(.targets(.add(try decoded(#"{"url":"http://a","name":"a","interval":null,"timeout":null,"expectedStatus":null,"expectedText":null,"failuresUntilDown":null}"#)))) {
    $0.targets.rows = try decoded(#"{"a":{"id":"a","url":"http://a","settings":{"interval":1000,"timeout":2000,"expectedStatus":200,"expectedText":null,"failuresUntilDown":3},"health":{"suspect":{"failures":0}},"isProbing":false,"probes":0,"failures":0,"latency":null,"reason":""}}"#)
  }
  await store.receive(.targets(.rows(.element(id: "a", action: .start))))
  await store.receive(.targets(.report(try decoded(#"{"id":"a","from":null,"to":"suspect","reason":"added"}"#)))) {
    $0.totals.suspect = 1
  }
  await store.receive(.targets(.rows(.element(id: "a", action: .probe)))) {
    $0.targets.rows = try decoded(#"{"a":{"id":"a","url":"http://a","settings":{"interval":1000,"timeout":2000,"expectedStatus":200,"expectedText":null,"failuresUntilDown":3},"health":{"suspect":{"failures":0}},"isProbing":true,"probes":0,"failures":0,"latency":null,"reason":""}}"#)
  }
  let effect1 = await store.receive(effect: try decoded(#"{"url":"http://a","timeout":2000,"expectedStatus":200,"expectedText":null}"#) as Probe, at: Path("/targets/rows/a"))
  await store.advance(by: .seconds(1))
  await store.receive(.targets(.rows(.element(id: "a", action: .probe))))
  await effect1.answer(.output(try decoded(#"{"isUp":true,"latency":7,"reason":""}"#)))
  await store.receive(.targets(.rows(.element(id: "a", action: .probed(.success(try decoded(#"{"isUp":true,"latency":7,"reason":""}"#))))))) {
    $0.targets.rows = try decoded(#"{"a":{"id":"a","url":"http://a","settings":{"interval":1000,"timeout":2000,"expectedStatus":200,"expectedText":null,"failuresUntilDown":3},"health":{"up":{"since":1000000}},"isProbing":false,"probes":1,"failures":0,"latency":7,"reason":""}}"#)
  }
  await store.receive(.targets(.rows(.element(id: "a", action: .changed(try decoded(#"{"id":"a","from":"suspect","to":"up","reason":""}"#))))))
  await store.receive(.targets(.report(try decoded(#"{"id":"a","from":"suspect","to":"up","reason":""}"#)))) {
    $0.totals.up = 1
    $0.totals.suspect = 0
  }
  await store.skipInFlightEffects()
}
