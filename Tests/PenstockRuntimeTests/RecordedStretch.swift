// Written by “penstock export -o swift-test”. “swift format” breaks its lines.
// swift-format-ignore-file
import CounterFeature
import Penstock
import PenstockTesting
import Testing

@Test func `counter, records 3 to 4`() async throws {
  let state: TwoCounters.State = try decoded(
    #"{"left":{"count":1,"fact":null,"isLoading":true},"right":{"count":0,"fact":null,"isLoading":false},"resets":0}"#)
  let store = TestStore(initialState: state, operations: CounterApp.operations) { CounterApp().root }
  // Record 3: given by an operation that was started before.
  await store.send(.left(.fact(.success("1 is odd")))) {
    $0.left.fact = "1 is odd"
    $0.left.isLoading = false
  }
  await store.send(.left(.increment)) {
    $0.left.count = 2
    $0.left.fact = nil
  }
}
