import FoundationEssentials
import Penstock
import PenstockTesting
import Testing

/// Effects are values that a test asserts and answers.
struct EffectTests {
  func store(_ state: Numbers.State = Numbers.State()) -> TestStoreOf<Numbers> {
    TestStore(initialState: state) { Numbers() }
  }

  @Test("An operation is asserted by its input and answered with an output")
  func output() async {
    let store = store(Numbers.State(number: 7))
    await store.send(.ask) { $0.isLoading = true }
    await store.receive(effect: NumberFact(number: 7), answer: .output("prime"))
    await store.receive(\.response.success, "prime") {
      $0.isLoading = false
      $0.fact = "prime"
    }
  }

  @Test("52: a failure is an action")
  func failure() async {
    let store = store()
    await store.send(.ask) { $0.isLoading = true }
    let effect = await store.receive(effect: NumberFact(number: 0))
    let failure = Failure(code: "offline", message: "no line")
    await effect.answer(.failure(failure))
    await store.receive(.response(.failure(failure))) { $0.isLoading = false }
  }

  @Test("52: an operation that ends itself as cancelled makes no action and no failure")
  func cancelled() async {
    let store = store()
    await store.send(.ask) { $0.isLoading = true }
    await store.receive(effect: NumberFact(number: 0), answer: .cancelled)
    await store.finish()
  }

  @Test("52: a failure that no action tells is a failure of the test")
  func unheard() async {
    let texts = await texts {
      let store = store()
      await store.send(.quiet)
      await store.receive(
        effect: NumberFact(number: -1), answer: .failure(Failure(code: "no", message: "line")))
    }
    #expect(
      texts == [
        """
        NumberFact of / failed (no: line), and no action says so.

        To hear of failures let the case “response.success” hold an Outcome; otherwise answer with an \
        output or with .cancelled.
        """
      ])
  }

  @Test("An operation of several outputs gives them one after the other and ends")
  func outputs() async {
    let store = store()
    await store.send(.stream(3))
    let effect = await store.receive(effect: Stream(upTo: 3), answer: .output(0))
    await store.receive(\.streamed, 0) { $0.log = [0] }
    await effect.answer(.outputs([1, 2]))
    await store.receive(\.streamed, 1) { $0.log = [0, 1] }
    await store.receive(\.streamed, 2) { $0.log = [0, 1, 2] }
    await store.finish()
  }

  @Test("46, 47: what is cancelled gives nothing any more, what replaces it does")
  func cancelInFlight() async {
    let store = store()
    await store.send(.ask) { $0.isLoading = true }
    let first = await store.receive(effect: NumberFact(number: 0))
    await store.send(.ask)
    let second = await store.receive(effect: NumberFact(number: 0))
    #expect(first.id != second.id)
    await second.answer(.output("zero"))
    await store.receive(\.response.success) {
      $0.isLoading = false
      $0.fact = "zero"
    }
    await store.send(.ask) { $0.isLoading = true }
    await store.receive(effect: NumberFact(number: 0))
    await store.send(.cancel) { $0.isLoading = false }
  }

  @Test("An answer to what is over is a failure")
  func late() async {
    let texts = await texts {
      let store = store()
      await store.send(.ask) { $0.isLoading = true }
      let effect = await store.receive(effect: NumberFact(number: 0))
      await store.send(.cancel) { $0.isLoading = false }
      await effect.answer(.output("late"))
    }
    #expect(
      texts == [
        """
        NumberFact of / was answered, and it is over.

        It ended with an earlier answer, was cancelled, or its feature was removed. In the system \
        such an output is dropped. Answer earlier, or remove the answer.
        """
      ])
  }

  @Test("An operation with another input is shown with the difference")
  func otherInput() async {
    let texts = await texts {
      let store = store(Numbers.State(number: 7))
      await store.send(.ask) { $0.isLoading = true }
      await store.receive(effect: NumberFact(number: 8))
      await store.skipInFlightEffects()
    }
    #expect(
      texts == [
        """
        The test expected the operation NumberFact(number: 8), and / started it with another input \
        (− expected, + actual).

              NumberFact(
            −   number: 8
            +   number: 7
              )

        Either the reducer makes the operation of other values than it should, or the test expects \
        the wrong ones.
        """
      ])
  }

  @Test("An operation that was not started is told, with those that were")
  func notStarted() async {
    let texts = await texts {
      let store = store()
      await store.receive(effect: NumberFact(number: 8))
      await store.send(.stream(1))
      await store.receive(effect: NumberFact(number: 8))
      await store.skipInFlightEffects()
    }
    #expect(
      texts == [
        """
        The test expected the operation NumberFact(number: 8), and it was not started.

        No operation was started that the test has not received.

        Either the reducer did not return it, or the test received it before.
        """,
        """
        The test expected the operation NumberFact(number: 8), and it was not started.

        Started and not yet received:

            Stream {"upTo":1}

        Either the reducer did not return it, or the test received it before.
        """,
      ])
  }

  @Test("59: an effect that never ends is a failure at the line that sent what started it")
  func running() async {
    let line = #line + 3
    let reports = await reports {
      let store = store()
      await store.send(.startTimer)
      await store.send(.increment) { $0.number = 1 }
    }
    #expect(
      reports == [
        Reported(
          text: """
            An effect of / is still alive at the end:

                .every(1.0 seconds, "tick")

            It was started by what this line sent. Answer it, cancel it by the action that is meant \
            to, remove its feature, or pass over it with “await store.skipInFlightEffects()”.
            """, line: line)
      ])
  }

  @Test("39: what is still presented at the end is no failure, its effect that never ends is one")
  func presentedAtTheEnd() async {
    let line = #line + 3
    let reports = await reports {
      for isTicking in [false, true] {
        let store = TestStore(initialState: Stage.State()) { Stage() }
        await store.send(.present) { $0.guest = Numbers.State() }
        if isTicking { await store.send(.guest(.presented(.startTimer))) }
        await store.finish()
      }
    }
    #expect(
      reports == [
        Reported(
          text: """
            An effect of /guest is still alive at the end:

                .every(1.0 seconds, "tick")

            It was started by what this line sent. Answer it, cancel it by the action that is meant \
            to, remove its feature, or pass over it with “await store.skipInFlightEffects()”.
            """, line: line + 2)
      ])
  }

  @Test("An operation that the test does not mention is a failure, even when it is over")
  func unasserted() async {
    let line = #line + 3
    let reports = await reports {
      let store = store()
      await store.send(.ask) { $0.isLoading = true }
      await store.send(.cancel) { $0.isLoading = false }
    }
    #expect(
      reports == [
        Reported(
          text: """
            / started an operation that the test does not mention; it is over since:

                NumberFact {"number":0}

            Say so with “await store.receive(effect: …)”, with an answer if it is to end, or pass \
            over it with “await store.skipInFlightEffects()”.
            """, line: line)
      ])
  }

  @Test("17: a timer ticks as often as it is due when the time is moved")
  func timers() async {
    let store = store()
    await store.send(.startTimer)
    await store.advance(by: .seconds(2))
    await store.receive(.tick) { $0.number = 1 }
    await store.receive(.tick) { $0.number = 2 }
    await store.advance(by: .milliseconds(999))
    await store.send(.stopTimer)
    await store.advance(by: .seconds(2))
    #expect(store.now == Date(timeIntervalSince1970: 4.999))
  }

  @Test("Ticks of several timers come in the order of their times")
  func order() async {
    let store = store()
    await store.send(.soon(3, after: 300))
    await store.send(.soon(1, after: 100))
    await store.send(.soon(2, after: 200))
    await store.advance(by: .seconds(1))
    for number in 1...3 { await store.receive(\.second, number) { $0.number = number } }
  }

  @Test("12: cancelling what send returned ends the effects of that action")
  func task() async {
    let store = store()
    let task = await store.send(.startTimer)
    await task.cancel()
    await task.finish()
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test("A task's finish looks at what followed from its action alone")
  func taskFinish() async {
    let texts = await texts {
      let store = store()
      let timer = await store.send(.startTimer)
      let other = await store.send(.first)
      await other.finish()
      await timer.finish()
      await store.send(.stopTimer)
    }
    #expect(texts.count == 1)
  }
}
