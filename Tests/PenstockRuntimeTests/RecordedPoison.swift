// Written by “penstock export -o swift-test”. “swift format” breaks its lines.
// swift-format-ignore-file
import CounterFeature
import Penstock
import PenstockTesting
import Testing

@Test func `counter, records 1 to 4`() async throws {
  let store = TestStore(CounterApp())
  await store.send(.left(.decrement)) { $0.left.count = -1 }
  await store.send(.left(.incrementTwice)) { $0.left.count = 0 }
  // Record 3, which waits to be received, was set aside: poison. A test store would reduce it.
  store.exhaustivity = .off
}
