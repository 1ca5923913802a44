import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// 58–64: what a test that is wrong is told. Both stores have the same words for it; the words
/// themselves are those that the tests of `TestStore` ask for.
@Suite(.serialized) struct TestStoreScenarioTests {
  private nonisolated(nonsending) func expectEqual(
    _ feature: String, _ beginnings: [String],
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    var all: [[String]] = []
    for harness in Harness.allCases {
      all.append(try await texts { try await harness.scenario(feature, body) })
    }
    #expect(all[0] == all[1])
    #expect(all[0].firstLines == beginnings)
  }

  private struct Wrong: Error {}

  @Test func `58: four ways of expecting the wrong state are told on both stores`() async throws {
    try await expectEqual(
      "chain",
      [
        "The state after .chain(.set(1)) is not the expected one (− expected, + actual).",
        ".chain(.set(2)) changed the state, and no change was expected (− before, + after).",
        ".chain(.set(2)) did not change the state, and a change was expected.",
        """
        The closure that says what the state is after .chain(.set(3)) threw an error: Wrong()
        """,
      ]
    ) { store in
      await store.send(.chain(.set(1))) { $0.chain.count = 9 }
      await store.send(.chain(.set(2)))
      await store.send(.chain(.set(2))) { $0.chain.count = 2 }
      await store.send(.chain(.set(3))) { _ in throw Wrong() }
    }
  }

  @Test func `59: what waits and what runs is told on both stores`() async throws {
    try await expectEqual(
      "chain",
      [
        ".chain(.set(1)) was sent while 2 actions wait to be received:",
        "1 action was not received:",
        "An effect of /chain is still alive at the end:",
      ]
    ) { store in
      await store.send(.chain(.tap)) { $0.chain.log = ["tap"] }
      await store.send(.chain(.set(1))) { $0.chain.count = 1 }
      await store.skipReceivedActions(strict: false)
      await store.send(.chain(.n1)) { $0.chain.log.append("n1") }
      await store.finish()
      await store.send(.chain(.later(1)))
    }
  }

  @Test func `61: receiving something else is told on both stores`() async throws {
    try await expectEqual(
      "search",
      [
        ".search(.fired(1)) came, and the test expected .search(.fired(43)) (− expected, + actual).",
        "The test expected .search(.stop), and no action waits.",
      ]
    ) { store in
      await store.send(.search(.beside(1)))
      await store.advance(by: .seconds(1))
      await store.receive(\.search.fired, 43) { $0.search.log = [1] }
      await store.send(.search(.beside(1)))
      await store.advance(by: .seconds(1))
      await store.receive(\.search.fired, 1) { $0.search.log.append(1) }
      await store.receive(.search(.stop))
    }
  }

  @Test func `63: passing over nothing is told, and receive waits for its own, on both stores`()
    async throws
  {
    try await expectEqual(
      "search",
      [
        "There was no action to pass over.", "There was no effect to pass over.",
        """
        The test expected .search(.fired(2)), and no action of that kind waits, not even after 1.0 \
        seconds.
        """,
      ]
    ) { store in
      await store.skipReceivedActions()
      await store.skipInFlightEffects()
      store.exhaustivity = .off
      await store.send(.search(.beside(1)))
      await store.send(.search(.beside(2)))
      await store.receive(\.search.fired, 2, within: .seconds(2)) { $0.search.log = [1, 2] }
      for _ in 0..<2 { await store.send(.search(.beside(1))) }
      await store.receive(\.search.fired, 2, within: .seconds(1))
      store.exhaustivity = .on
    }
  }

  @Test func `64: a feature that was dismissed has no effects, and sending to it is told`()
    async throws
  {
    try await expectEqual(
      "screens",
      [
        """
        .screens(.sheet(.presented(.tick))): An action came to /screens/sheet while its state is \
        nil. Only the mounted parents saw it. Either a parent removed the feature before its last \
        action arrived, which is harmless for results of effects, or the action was sent too early: \
        send it after the state was set.
        """
      ]
    ) { store in
      await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
      await store.send(.screens(.sheet(.presented(.startTimer))))
      await store.send(.screens(.dismissAll)) { $0.screens.sheet = nil }
      await store.advance(by: .seconds(5))
      await store.send(.screens(.sheet(.presented(.tick))))
    }
  }
}
