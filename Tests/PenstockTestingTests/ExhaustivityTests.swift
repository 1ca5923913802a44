import Penstock
import PenstockTesting
import Testing

/// 63: tests that say only what they are about.
struct ExhaustivityTests {
  func store(_ exhaustivity: Exhaustivity = .off) -> TestStoreOf<Numbers> {
    let store = TestStore(initialState: Numbers.State()) { Numbers() }
    store.exhaustivity = exhaustivity
    return store
  }

  @Test("With exhaustivity off a test says only what it is about")
  func off() async {
    let store = store()
    await store.send(.two)
    await store.receive(\.second) { $0.number = 42 }
    await store.send(.fill(3))
    await store.send(.startTimer)
    await store.send(.ask)
    store.assert { $0.number = 42 }
  }

  @Test("What a test with exhaustivity off says is compared")
  func wrong() async {
    let texts = await texts {
      let store = store()
      await store.send(.fill(1)) { $0.number = 3 }
    }
    #expect(
      texts == [
        """
        The state after .fill(1) is not the expected one (− expected, + actual).

              Numbers.State(
            −   number: 3,
            +   number: 0,
                … (3 unchanged)
              )

        Either the reducer or the expectation is wrong: correct the one that says what is not meant.
        """
      ])
  }

  @Test("What was passed over can be shown")
  func shown() async {
    let reports = await reports {
      let store = store(.off(showSkipped: true))
      await store.send(.two)
      await store.receive(\.second)
      await store.send(.startTimer)
      await store.skipInFlightEffects()
    }
    #expect(reports.map(\.isSkipped) == [true, true, true])
    #expect(
      reports.map(\.text) == [
        "Not received: .first, which changed nothing.",
        """
        Not looked at: what else .second(42) changed (− before, + after).

              Numbers.State(
            −   number: 0,
            +   number: 42,
                … (3 unchanged)
              )
        """,
        """
        Not looked at, and ended:

            .every(1.0 seconds, "tick") at /
        """,
      ])
  }

  @Test("63: receive passes over other actions until its own comes in time")
  func within() async {
    let store = store()
    await store.send(.soon(1, after: 10))
    await store.send(.soon(2, after: 20))
    await store.receive(\.second, 2, within: .seconds(1)) { $0.number = 2 }
  }

  @Test("63: and fails when it does not come in time")
  func notWithin() async {
    let texts = await texts {
      let store = store()
      await store.send(.soon(1, after: 10))
      await store.send(.soon(1, after: 20))
      await store.receive(\.second, 2, within: .seconds(1))
    }
    #expect(
      texts == [
        """
        The test expected .second(2), and no action of that kind waits, not even after 1.0 seconds.

        These were passed over:

            .second(1)
            .second(1)

        No effect is alive that could cause it. Either the reducer did not return the effect, or it \
        was cancelled.
        """
      ])
  }

  @Test("63: passing over when there is nothing is a failure, unless said otherwise")
  func strict() async {
    let texts = await texts {
      let store = store(.on)
      await store.skipReceivedActions()
      await store.skipInFlightEffects()
      await store.skipReceivedActions(strict: false)
      await store.skipInFlightEffects(strict: false)
    }
    #expect(
      texts == [
        """
        There was no action to pass over.

        Nothing was caused that was not received. Remove the call, or say strict: false.
        """,
        """
        There was no effect to pass over.

        No operation and no timer is alive. Remove the call, or say strict: false.
        """,
      ])
  }

  @Test("What was passed over is done")
  func skipped() async {
    let store = store(.on)
    await store.send(.two)
    await store.skipReceivedActions()
    #expect(store.state.number == 42)
    await store.send(.ask) { $0.isLoading = true }
    await store.send(.startTimer)
    await store.skipInFlightEffects()
    await store.finish()
  }

  @Test("A part of a test can have another exhaustivity")
  func part() async {
    let store = store(.on)
    await store.withExhaustivity(.off) {
      await store.send(.two)
      await store.receive(\.second)
    }
    #expect(store.exhaustivity == .on)
    await store.send(.increment) { $0.number = 43 }
  }

  @Test("Many runs give equal results")
  func stable() async {
    var results = Set<[Reported]>()
    for _ in 0..<200 {
      results.insert(
        await reports {
          let store = TestStore(initialState: Hall.State()) { Hall() }
          store.exhaustivity = .off(showSkipped: true)
          await store.send(.invite)
          await store.send(.guest(.startTimer))
          await store.advance(by: .seconds(1))
          await store.receive(\.guest.tick) { $0.guest?.number = 2 }
        })
    }
    #expect(results.count == 1)
    #expect(results.first?.count == 2)
  }
}
