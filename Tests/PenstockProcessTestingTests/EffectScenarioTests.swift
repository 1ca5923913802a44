import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// 46–56: cancellation, failures, and what is about time.
@Suite(.serialized) struct EffectScenarioTests {
  private func onBoth(
    _ harness: Harness,
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    try await harness.scenario("search", body)
  }

  @Test(arguments: Harness.allCases)
  func `46: a stream that is cancelled gives no more, one that is over minds no cancel`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.search(.stream(9)))
        let stream = await store.receive(effect: Series(upTo: 9))
        for number in 1...2 {
          await stream.answer(.output(number))
          await store.receive(\.search.streamed, number) { $0.search.log.append(number) }
        }
        await store.send(.search(.stop))
        await stream.answer(.output(3))
        await store.finish()

        await store.send(.search(.stream(2)))
        await store.receive(effect: Series(upTo: 2), answer: .outputs([4, 5]))
        for number in 4...5 {
          await store.receive(\.search.streamed, number) { $0.search.log.append(number) }
        }
        await store.send(.search(.stop))
        await store.send(.search(.startAndStop))
      }
    }
    #expect(said.firstLines == ["Series of /search was answered, and it is over."])
  }

  @Test(arguments: Harness.allCases)
  func `47: cancelInFlight replaces what runs under the id; without it both run, and end together`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.search(.replace(2)))
        let first = await store.receive(effect: Series(upTo: 2))
        for number in 1...2 {
          await first.answer(.output(number))
          await store.receive(\.search.streamed, number) { $0.search.log.append(number) }
        }
        await store.send(.search(.replace(2)))
        await first.answer(.output(2))
        await store.receive(effect: Series(upTo: 2), answer: .outputs([3, 4]))
        for number in 3...4 {
          await store.receive(\.search.streamed, number) { $0.search.log.append(number) }
        }

        for isStopped in [false, true] {
          await store.send(.search(.beside(1)))
          await store.send(.search(.beside(2)))
          if isStopped { await store.send(.search(.stopBeside)) }
          for second in 1...2 {
            await store.advance(by: .seconds(1))
            if isStopped { continue }
            await store.receive(\.search.fired, second) { $0.search.log.append(second) }
          }
        }
      }
    }
    #expect(said.firstLines == ["Series of /search was answered, and it is over."])
  }

  @Test(arguments: Harness.allCases)
  func `48: the ids of two types are different ids`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.search(.startTwo))
      await store.send(.search(.stopFirst))
      await store.advance(by: .seconds(1))
      await store.receive(\.search.fired, 2) { $0.search.log = [2] }
      await store.send(.search(.stopSecond))
    }
  }

  @Test(arguments: Harness.allCases)
  func `52: a failure comes as an action, or is told where no case takes it; a cancellation is not`(
    harness: Harness
  ) async throws {
    let failure = Failure(code: "offline", message: "no line")
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.search(.ask(1)))
        await store.receive(effect: Question(number: 1), answer: .failure(failure))
        await store.receive(\.search.answered.failure) { $0.search.texts = ["(no line)"] }
        await store.send(.search(.ask(2)))
        await store.receive(effect: Question(number: 2), answer: .cancelled)
        await store.finish()
        await store.send(.search(.askQuietly))
        await store.receive(effect: Question(number: -1), answer: .failure(failure))
      }
    }
    #expect(
      said == [
        """
        Question of /search failed (offline: no line), and no action says so.

        To hear of failures let the case “heard” hold an Outcome; otherwise answer with an output or \
        with .cancelled.
        """
      ])
  }

  @Test(arguments: Harness.allCases)
  func `54: what is concatenated comes one after the other, what is merged together`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        for (action, times) in [(Search.Action.steps, [1, 3, 6]), (.together, [1, 2, 3])] {
          await store.send(.search(action))
          var passed = 0
          for (index, time) in times.enumerated() {
            await store.advance(by: .seconds(time - passed) - .milliseconds(1))
            await store.skipReceivedActions()
            await store.advance(by: .milliseconds(1))
            await store.receive(\.search.fired, index + 1) { $0.search.log.append(index + 1) }
            passed = time
          }
        }
        await store.send(.search(.withNone))
        await store.receive(\.search.fired, 1) { $0.search.log.append(1) }
        await store.receive(effect: Question(number: 1), answer: .output("done"))
        await store.receive(\.search.answered.success, "done") { $0.search.texts = ["done"] }
      }
    }
    #expect(said.firstLines == Array(repeating: "There was no action to pass over.", count: 6))
  }

  @Test(arguments: Harness.allCases)
  func `55: of what is debounced only the last comes, and nothing started before`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        for number in 1...3 {
          if number > 1 { await store.advance(by: .milliseconds(500)) }
          await store.send(.search(.typed(number)))
        }
        await store.advance(by: .milliseconds(999))
        await store.skipReceivedActions()
        await store.advance(by: .milliseconds(1))
        await store.receive(\.search.fired, 3) { $0.search.log = [3] }

        await store.send(.search(.askTyped(1)))
        await store.advance(by: .milliseconds(900))
        await store.send(.search(.askTyped(2)))
        await store.advance(by: .seconds(1))
        await store.receive(effect: Question(number: 2), answer: .output("two"))
        await store.receive(\.search.answered.success, "two") { $0.search.texts = ["two"] }
      }
    }
    #expect(said.firstLines == ["There was no action to pass over."])
  }

  @Test(arguments: Harness.allCases)
  func `56: what is throttled comes at once and then once in an interval`(
    harness: Harness
  ) async throws {
    for isLatest in [true, false] {
      try await onBoth(harness) { store in
        store.exhaustivity = .off
        func tap(_ number: Int) -> Scenarios.Action {
          .search(isLatest ? .tapped(number) : .tappedFirst(number))
        }
        await store.send(tap(1))
        await store.receive(\.search.fired, 1)
        await store.send(tap(2))
        for number in 3...5 {
          await store.advance(by: .milliseconds(250))
          await store.send(tap(number))
        }
        #expect(store.state.search.log == [1])
        await store.advance(by: .milliseconds(250))
        await store.receive(\.search.fired, isLatest ? 5 : 2)
        await store.advance(by: .seconds(1))
        await store.send(tap(6))
        await store.receive(\.search.fired, 6)
        #expect(store.state.search.log == [1, isLatest ? 5 : 2, 6])
      }
    }
  }
}
