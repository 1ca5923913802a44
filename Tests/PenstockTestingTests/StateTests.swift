import Penstock
import PenstockTesting
import Testing

/// 58: what a test says of the state, and how it fails.
struct StateTests {
  func store(_ state: Numbers.State = Numbers.State()) -> TestStoreOf<Numbers> {
    TestStore(initialState: state) { Numbers() }
  }

  @Test("58: what was said right passes")
  func passes() async {
    let store = store()
    await store.send(.increment) { $0.number = 1 }
    await store.send(.decrement) { $0.number = 0 }
    await store.send(.first)
    store.assert { $0.number = 0 }
    #expect(store.state.number == 0)
  }

  @Test("58: a wrong state is shown with − and +, at the line that sent")
  func wrong() async {
    let line = #line + 3
    let reports = await reports {
      let store = store()
      await store.send(.increment) { $0.number = 2 }
    }
    #expect(
      reports == [
        Reported(
          text: """
            The state after .increment is not the expected one (− expected, + actual).

                  Numbers.State(
                −   number: 2,
                +   number: 1,
                    … (3 unchanged)
                  )

            Either the reducer or the expectation is wrong: correct the one that says what is not \
            meant.
            """, line: line)
      ])
  }

  @Test("58: a change that no closure says is shown")
  func unexpected() async {
    let texts = await texts {
      let store = store()
      await store.send(.fill(2))
    }
    #expect(
      texts == [
        """
        .fill(2) changed the state, and no change was expected (− before, + after).

              Numbers.State(
                … (3 unchanged)
                log: [
            +     [0]: 0,
            +     [1]: 1
                ]
              )

        Say what changes in a closure behind the action, or set exhaustivity to .off if this test is \
        not about it.
        """
      ])
  }

  @Test("58: a closure that changes nothing is a failure")
  func noChange() async {
    let texts = await texts {
      let store = store()
      await store.send(.first) { $0.number = 0 }
    }
    #expect(
      texts == [
        """
        .first did not change the state, and a change was expected.

        The closure behind the action leaves the state as it was. If nothing is to change, remove the \
        closure; if something is, the reducer does not do it.
        """
      ])
  }

  @Test("58: a closure that throws is a failure that names the error")
  func throwing() async {
    let texts = await texts {
      let store = store()
      await store.send(.increment) { _ in throw Failure(code: "missing", message: "no row") }
    }
    #expect(
      texts == [
        """
        The closure that says what the state is after .increment threw an error: missing: no row

        Nothing was compared. Correct the closure, or what it requires of the state.
        """
      ])
  }

  @Test("The state can be looked at between two actions")
  func between() async {
    let texts = await texts {
      let store = store()
      store.assert { $0.fact = "none" }
    }
    #expect(
      texts == [
        """
        The state now is not the expected one (− expected, + actual).

              Numbers.State(
                … (1 unchanged)
            −   fact: "none",
            +   fact: nil,
                … (2 unchanged)
              )

        Either the reducer or the expectation is wrong: correct the one that says what is not meant.
        """
      ])
  }

  @Test("A failure is an issue of the test at the line that caused it")
  func issue() async {
    let line = #line + 3
    await withKnownIssue {
      let store = store()
      await store.send(.increment)
    } matching: { issue in
      issue.sourceLocation?.line == line
        && issue.comments.first?.rawValue.hasPrefix(".increment changed the state") == true
    }
  }
}
