import Foundation
import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// 1–12, 51: the order of what follows from an action, and when it is over.
@Suite(.serialized) struct QueueScenarioTests {
  private func onBoth(
    _ harness: Harness,
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    try await harness.scenario("chain", body)
  }

  @Test(arguments: Harness.allCases)
  func `1: sends are handled breadth first, in the order in which they were made`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.chain(.tap)) { $0.chain.log = ["tap"] }
      await store.receive(.chain(.n1)) { $0.chain.log.append("n1") }
      await store.receive(.chain(.n2)) { $0.chain.log.append("n2") }
      await store.receive(.chain(.end)) { $0.chain.log.append("end") }
    }
  }

  @Test(arguments: Harness.allCases)
  func `2: an action that sends itself a thousand times comes to its end`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      store.exhaustivity = .off
      await store.send(.chain(.countTo(1_000)))
      await store.skipReceivedActions()
      #expect(store.state.chain.count == 1_000)
    }
  }

  @Test(arguments: Harness.allCases)
  func `6: an effect is alive from its start to its end, an action without one never`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        let set = await store.send(.chain(.set(1))) { $0.chain.count = 1 }
        await set.finish()
        let later = await store.send(.chain(.later(7)))
        await later.finish()
        await store.advance(by: .seconds(2))
        await store.receive(.chain(.set(7))) { $0.chain.count = 7 }
        await later.finish()
      }
    }
    #expect(said.firstLines == ["An effect of /chain is still alive at the end:"])
  }

  @Test(arguments: Harness.allCases)
  func `9: the first state reads the time, and two draws in one transition differ`(
    harness: Harness
  ) async throws {
    let date = Date(timeIntervalSince1970: 86_400)
    try await harness.scenario("draws", now: date) { store in
      #expect(store.state.draws.began == date)
      #expect(Set(store.state.draws.ids).count == 2)
      await store.advance(by: .seconds(60))
      await store.send(.draws(.draw)) {
        @Dependency(\.uuid) var uuid
        @Dependency(\.random) var random
        $0.draws.began = date.addingTimeInterval(60)
        $0.draws.ids = [uuid(), uuid()]
        $0.draws.die = random(in: 1...1_000_000)
      }
      #expect(Set(store.state.draws.ids).count == 2)
    }
  }

  @Test(arguments: Harness.allCases)
  func `10: what a send returned is finished when the last effect of its chain is`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        let task = await store.send(.chain(.ask))
        for (number, text) in [(1, "one"), (2, "two")] {
          await store.receive(effect: Question(number: number), answer: .output(text))
          await store.receive(number == 1 ? .chain(.r1(text)) : .chain(.r2(text))) {
            $0.chain.log.append(text)
          }
        }
        await task.finish()
        await store.receive(effect: Question(number: 3), answer: .output("three"))
        await store.receive(\.chain.r3, "three") { $0.chain.log.append("three") }
        await task.finish()
      }
    }
    #expect(
      said.firstLines == ["/chain started an operation that the test does not mention:"])
  }

  @Test(arguments: Harness.allCases)
  func `12: cancelling the tree ends what the action's sends started, and no other's`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.chain(.forever))
        await store.receive(effect: Question(number: 0))
        let task = await store.send(.chain(.task))
        for _ in 0..<3 {
          await store.receive(.chain(.forever))
          await store.receive(effect: Question(number: 0))
        }
        await task.cancel()
        await task.finish()
        await task.cancelTree()
        await task.finish()
        await store.finish()
      }
    }
    // Three before the tree was cancelled, and the other's at the end.
    #expect(
      said.firstLines
        == Array(repeating: "An effect of /chain is still alive at the end:", count: 4))
  }

  @Test(arguments: Harness.allCases)
  func `51: five hundred effects on fifty ids, cancelled at random, leave nothing behind`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        store.exhaustivity = .off(showSkipped: true)
        for round in 0..<10 {
          await store.send(.chain(.startMany(50, of: 50)))
          for step in 0..<3 { await store.send(.chain(.stop((round * 37 + step * 11) % 50))) }
        }
        for id in 0..<50 { await store.send(.chain(.stop(id))) }
        await store.skipInFlightEffects()
      }
    }
    #expect(said == [], "nothing is alive at the end")
  }

  @Test(arguments: Harness.allCases)
  func `a payload and a state that no tap shows whole are compared all the same`(
    harness: Harness
  ) async throws {
    let long = String(repeating: "0123456789", count: 20_000)
    let state = Scenarios.State(chain: Chain.State(text: long))
    try await harness.scenario("chain", from: state) { store in
      #expect(store.state.chain.text == long)
      await store.send(.chain(.note(long + "!"))) { $0.chain.text = long + "!" }
      await store.send(.chain(.tap)) { $0.chain.log = ["tap"] }
      await store.skipReceivedActions()
    }
  }
}
