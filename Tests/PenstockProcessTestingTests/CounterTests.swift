import CounterFeature
import HarnessSupport
import Penstock
import PenstockProcessTesting
import PenstockTesting
import Testing

@Suite(.serialized) struct CounterTests {
  private func onBoth(
    _ harness: Harness,
    _ body: nonisolated(nonsending) (TestStoreOf<TwoCounters>) async throws -> Void
  ) async throws {
    try await harness.run(CounterApp(), executable: "counter", body)
  }

  @Test(arguments: Harness.allCases)
  func `counters count, send, and are reset by their parent`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.left(.increment)) { $0.left.count = 1 }
      await store.send(.right(.decrement)) { $0.right.count = -1 }
      await store.send(.left(.incrementTwice)) { $0.left.count = 2 }
      await store.receive(\.left.increment) { $0.left.count = 3 }
      await store.send(.resetAll) {
        $0.left.count = 0
        $0.right.count = 0
        $0.resets = 1
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `a fact is asked for, answered, and taken back`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.left(.increment)) { $0.left.count = 1 }
      await store.send(.left(.askFact)) { $0.left.isLoading = true }
      await store.receive(effect: NumberFact(number: 1), answer: .output("1 is odd"))
      await store.receive(\.left.fact.success, "1 is odd") {
        $0.left.isLoading = false
        $0.left.fact = "1 is odd"
      }

      await store.send(.right(.askFact)) { $0.right.isLoading = true }
      let question = await store.receive(effect: NumberFact(number: 0), at: Path("/right"))
      await store.send(.right(.increment)) { $0.right.count = 1 }
      await question.answer(.failure(Failure(code: "offline", message: "no line")))
      await store.receive(\.right.fact.failure) {
        $0.right.isLoading = false
        $0.right.fact = "(no line)"
      }

      await store.send(.right(.askFact)) { $0.right.isLoading = true }
      await store.receive(effect: NumberFact(number: 1))
      await store.send(.right(.cancelFact)) { $0.right.isLoading = false }
    }
  }

  @Test(arguments: Harness.allCases)
  func `effects are passed over, cancelled with their task, and end by themselves`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.left(.askFact)) { $0.left.isLoading = true }
      await store.skipInFlightEffects()
      let task = await store.send(.right(.askFact)) { $0.right.isLoading = true }
      await store.receive(effect: NumberFact(number: 0))
      await task.cancel()
      await task.finish()
      await store.send(.right(.askFact))
      await store.receive(effect: NumberFact(number: 0), answer: .cancelled)
      await store.finish()
    }
  }

  @Test(arguments: Harness.allCases)
  func `what is not said is a failure on both`(harness: Harness) async throws {
    let texts = try await texts {
      try await onBoth(harness) { store in
        await store.send(.left(.increment)) { $0.left.count = 2 }
        await store.send(.left(.incrementTwice)) { $0.left.count = 2 }
        await store.send(.right(.askFact)) { $0.right.isLoading = true }
        await store.skipReceivedActions(strict: false)
        await store.receive(effect: NumberFact(number: 7))
      }
    }
    #expect(
      texts.map { $0.prefix { $0 != "\n" } } == [
        "The state after .left(.increment) is not the expected one (− expected, + actual).",
        ".right(.askFact) was sent while 1 action waits to be received:",
        """
        The test expected the operation NumberFact(number: 7), and /right started it with another \
        input (− expected, + actual).
        """, "/right started an operation that the test does not mention:",
      ], "\(texts)")
  }

  @Test func `inputs are not the test's where processes are`() async throws {
    let texts = try await texts {
      let store = try ProcessTestStore(CounterApp(), executable: "counter")
      store.inputs.seed = 7
    }
    #expect(
      texts == [
        """
        The test replaced what reducers draw, and they run in processes of their own.

        There the time, identifiers and random numbers are those of the order. Compare with what \
        @Dependency gives in the closure that says the state, or test this with a TestStore.
        """
      ])
  }

  @Test func `an executable that is not there, or is another application, is said`() {
    let missing = #expect(throws: TestEngineFailure.self) {
      _ = try ProcessTestStore(CounterApp(), executable: "no-such-application")
    }
    #expect(missing?.text.hasPrefix("There is no executable no-such-application in /") == true)
    let other = #expect(throws: TestEngineFailure.self) {
      _ = try ProcessTestStore(CounterApp(), executable: "uptime")
    }
    #expect(other?.text.hasPrefix("The process of /") == true, "\(other?.text ?? "")")
  }
}
