import Penstock
import PenstockTesting
import Testing

/// 59, 61: actions that effects cause are received, in order and one by one.
struct ActionTests {
  func store(_ state: Numbers.State = Numbers.State()) -> TestStoreOf<Numbers> {
    TestStore(initialState: state) { Numbers() }
  }

  @Test("14: what a reducer sends is received")
  func sends() async {
    let store = store()
    await store.send(.decrement) { $0.number = -1 }
    await store.receive(.increment) { $0.number = 0 }
    await store.send(.two)
    await store.receive(\.first)
    await store.receive(\.second, 42) { $0.number = 42 }
    await store.send(.two)
    await store.receive(where: { $0 == .first })
    await store.receive(\.second)
    await store.finish()
  }

  @Test("59: sending while something waits is a failure that says how much, and the send happens")
  func waiting() async {
    let texts = await texts {
      let store = store()
      await store.send(.two)
      await store.send(.increment) { $0.number = 1 }
      await store.receive(\.first)
      await store.receive(\.second, 42) { $0.number = 42 }
    }
    #expect(
      texts == [
        """
        .increment was sent while 2 actions wait to be received:

            .first
            .second(42)

        It was handled before them, which the system would not do. Receive them first with \
        “await store.receive(…)”, or pass over them with “await store.skipReceivedActions()”.
        """
      ])
  }

  @Test("59: what waits at the end is a failure at the line that caused it")
  func unreceived() async {
    let line = #line + 3
    let reports = await reports {
      let store = store()
      await store.send(.decrement) { $0.number = -1 }
    }
    #expect(
      reports == [
        Reported(
          text: """
            1 action was not received:

                .increment

            What was sent or answered on this line caused it. Receive with “await store.receive(…)”, \
            or pass over it with “await store.skipReceivedActions()”.
            """, line: line)
      ])
  }

  @Test("59: finish finds what waits, at its own line and once")
  func finish() async {
    let line = #line + 4
    let reports = await reports {
      let store = store()
      await store.send(.two)
      await store.finish()
    }
    #expect(reports.map(\.line) == [line])
    let beginning = "2 actions were not received:\n\n    .first\n    .second(42)\n"
    #expect(reports[0].text.hasPrefix(beginning))
  }

  @Test("61: another action than the expected one is shown with the difference")
  func other() async {
    let texts = await texts {
      let store = store()
      await store.send(.two)
      await store.receive(\.first)
      await store.receive(\.second, 43) { $0.number = 42 }
    }
    #expect(
      texts == [
        """
        .second(42) came, and the test expected .second(43) (− expected, + actual).

              .second(
            −   43
            +   42
              )

        Actions come in the order in which they were caused. Either the reducer or an answer of the \
        test made another action, or the test receives in another order.
        """
      ])
  }

  @Test("61: an action of another case is told")
  func otherCase() async {
    let texts = await texts {
      let store = store()
      await store.send(.two)
      await store.receive(\.second)
      await store.receive(\.second) { $0.number = 42 }
    }
    #expect(
      texts == [
        """
        .first came, and the test expected an action of the case .second.

        Actions come in the order in which they were caused. Either the reducer or an answer of the \
        test made another action, or the test receives in another order.
        """
      ])
  }

  @Test("61: receiving when nothing waits shows what was expected")
  func nothing() async {
    let texts = await texts {
      let store = store()
      await store.receive(.second(1))
    }
    #expect(
      texts == [
        """
        The test expected .second(1), and no action waits.

        No effect is alive that could cause it. Either the reducer did not return the effect, or it \
        was cancelled.
        """
      ])
  }

  @Test("61: and which effects are alive that might have caused it")
  func nothingYet() async {
    let texts = await texts {
      let store = store()
      await store.send(.soon(7, after: 250))
      await store.receive(\.second, within: .milliseconds(200))
      await store.receive(\.second, within: .milliseconds(100)) { $0.number = 7 }
    }
    #expect(
      texts == [
        """
        The test expected an action of the case .second, and no action waits, not even after 0.2 \
        seconds.

        These effects are alive:

            .after(0.25 seconds, {"second":7}) at /

        An operation gives what the test answers: “await store.receive(effect: …, answer: …)”. A \
        timer needs time: “await store.advance(by: …)”.
        """
      ])
  }

  @Test("16: an action of an absent child is a failure, and its parent runs")
  func absent() async {
    let texts = await texts {
      let store = TestStore(initialState: Hall.State()) { Hall() }
      await store.send(.guest(.increment))
    }
    #expect(
      texts == [
        """
        .guest(.increment): An action came to /guest while its state is nil. Only the mounted \
        parents saw it. Either a parent removed the feature before its last action arrived, which is \
        harmless for results of effects, or the action was sent too early: send it after the state \
        was set.
        """
      ])
  }

  @Test("64: a feature that was dismissed has no effects, and sending to it is a failure")
  func dismissed() async {
    let texts = await texts {
      let store = TestStore(initialState: Hall.State()) { Hall() }
      await store.send(.invite) { $0.guest = Numbers.State() }
      await store.send(.guest(.startTimer))
      await store.send(.dismiss) { $0.guest = nil }
      await store.advance(by: .seconds(5))
      await store.send(.guest(.increment))
    }
    #expect(texts.count == 1)
    #expect(texts[0].hasPrefix(".guest(.increment): An action came to /guest while"))
  }
}
