// Written by “penstock export -o swift-test”. “swift format” breaks its lines.
// swift-format-ignore-file
import CounterFeature
import Penstock
import PenstockTesting
import Testing

@Test func `counter, records 1 to 13`() async throws {
  let store = TestStore(CounterApp())
  await store.send(.left(.increment)) { $0.left.count = 1 }
  await store.send(.left(.incrementTwice)) { $0.left.count = 2 }
  await store.receive(.left(.increment)) { $0.left.count = 3 }
  await store.send(.right(.decrement)) { $0.right.count = -1 }
  await store.send(.left(.askFact)) { $0.left.isLoading = true }
  await store.receive(effect: try decoded(#"{"number":3}"#) as NumberFact, answer: .output("3 is \"odd\""), at: Path("/left"))
  await store.receive(.left(.fact(.success("3 is \"odd\"")))) {
    $0.left.fact = "3 is \"odd\""
    $0.left.isLoading = false
  }
  await store.send(.right(.askFact)) { $0.right.isLoading = true }
  let effect1 = await store.receive(effect: try decoded(#"{"number":-1}"#) as NumberFact, at: Path("/right"))
  await store.send(.left(.decrement)) {
    $0.left.count = 2
    $0.left.fact = nil
  }
  await effect1.answer(.failure(Failure(code: "offline", message: "no line")))
  await store.receive(.right(.fact(.failure(Failure(code: "offline", message: "no line"))))) {
    $0.right.fact = "(no line)"
    $0.right.isLoading = false
  }
  await store.send(.right(.askFact)) { $0.right.isLoading = true }
  await store.receive(effect: try decoded(#"{"number":-1}"#) as NumberFact, at: Path("/right"))
  await store.send(.right(.cancelFact)) { $0.right.isLoading = false }
  await store.send(.resetAll) {
    $0.left.count = 0
    $0.right.count = 0
    $0.right.fact = nil
    $0.resets = 1
  }
  await store.send(.left(.askFact)) { $0.left.isLoading = true }
  await store.receive(effect: try decoded(#"{"number":0}"#) as NumberFact, at: Path("/left"))
  await store.skipInFlightEffects()
}
