import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// 26–39: features that are presented.
@Suite(.serialized) struct ScreenScenarioTests {
  private func onBoth(
    _ harness: Harness, from state: Scenarios.State? = nil,
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    try await harness.scenario("screens", from: state, body)
  }

  @Test(arguments: Harness.allCases)
  func `26: present, increment, dismiss`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
      await store.send(.screens(.sheet(.presented(.increment)))) {
        $0.screens.sheet?.count = 1
        $0.screens.seen = ["increment"]
      }
      await store.send(.screens(.sheet(.dismiss))) {
        $0.screens.last = 1
        $0.screens.seen.append("dismiss")
        $0.screens.sheet = nil
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `27: a child that dismisses itself is seen by its parent once more`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
      await store.send(.screens(.sheet(.presented(.close)))) { $0.screens.sheet?.count = -1 }
      await store.receive(.screens(.sheet(.dismiss))) {
        $0.screens.last = -1
        $0.screens.seen = ["dismiss"]
        $0.screens.sheet = nil
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `28: so does one that was there from the start, and again after it was presented anew`(
    harness: Harness
  ) async throws {
    let state = Scenarios.State(
      screens: Screens.State(destination: .edit(Editor.State(id: 1))))
    try await onBoth(harness, from: state) { store in
      for _ in 0..<2 {
        await store.send(.screens(.destination(.presented(.edit(.close))))) {
          $0.screens.destination = .edit(Editor.State(id: 1, count: -1))
        }
        await store.receive(.screens(.destination(.dismiss))) { $0.screens.destination = nil }
        await store.send(.screens(.edit(1))) {
          $0.screens.destination = .edit(Editor.State(id: 1))
        }
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `29: a presented timer ends with its feature, whoever takes it away`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      for isItself in [false, true] {
        await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
        await store.send(.screens(.sheet(.presented(.startTimer))))
        await store.advance(by: .seconds(1))
        await store.receive(.screens(.sheet(.presented(.tick)))) { $0.screens.sheet?.count = 1 }
        await store.withExhaustivity(.off) {
          await store.send(.screens(isItself ? .sheet(.presented(.close)) : .dismissAll))
          await store.skipReceivedActions(strict: isItself)
        }
        #expect(store.state.screens.sheet == nil)
        await store.advance(by: .seconds(5))
        await store.finish()
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `30: another id is another feature; the same id with a fresh state goes on`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.screens(.open(0))) { $0.screens.sheet = Editor.State(id: 0) }
      await store.send(.screens(.sheet(.presented(.startTimer))))
      await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
      await store.advance(by: .seconds(1))
      await store.send(.screens(.sheet(.presented(.startTimer))))
      await store.advance(by: .seconds(1))
      await store.receive(.screens(.sheet(.presented(.tick)))) { $0.screens.sheet?.count = 1 }
      await store.send(.screens(.open(1))) { $0.screens.sheet?.count = 0 }
      await store.advance(by: .seconds(2))
      for count in 1...2 {
        await store.receive(.screens(.sheet(.presented(.tick)))) {
          $0.screens.sheet?.count = count
        }
      }
      await store.send(.screens(.dismissAll)) { $0.screens.sheet = nil }
    }
  }

  @Test(arguments: Harness.allCases)
  func `32: .dismiss and actions of what is not presented are diagnosed, and the parent runs`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.screens(.sheet(.dismiss))) { $0.screens.seen = ["dismiss"] }
        await store.send(.screens(.destination(.presented(.edit(.increment))))) {
          $0.screens.seen.append("edit")
        }
      }
    }
    #expect(said.count == 2)
    #expect(said.first?.contains(".dismiss came for “sheet” while nothing is presented") == true)
    #expect(
      said.last?.contains("An action came to /screens/destination while its state is nil") == true)
  }

  @Test(arguments: Harness.allCases)
  func `33: an alert goes with its action, unless that sets a fresh one`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      await store.send(.screens(.ask)) { $0.screens.destination = Screens.alert }
      await store.send(.screens(.destination(.presented(.alert(.again))))) {
        $0.screens.destination = Screens.alert
      }
      await store.send(.screens(.destination(.presented(.alert(.delete))))) {
        $0.screens.isDeleted = true
        $0.screens.destination = nil
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `35: an action of the other case is diagnosed, and the alert stays`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.screens(.ask)) { $0.screens.destination = Screens.alert }
        await store.send(.screens(.destination(.presented(.edit(.increment))))) {
          $0.screens.seen = ["edit"]
        }
      }
    }
    #expect(said.count == 1)
    #expect(
      said.first?.contains("An action came to /screens/destination/edit while the state is") == true
    )
  }

  @Test(arguments: Harness.allCases)
  func `36: what changes its own id is another feature: the response never arrives`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
        await store.send(.screens(.sheet(.presented(.ask))))
        let question = await store.receive(effect: Question(number: 1))
        await store.send(.screens(.sheet(.presented(.renumber(2))))) { $0.screens.sheet?.id = 2 }
        await store.finish()
        await question.answer(.output("late"))
      }
    }
    #expect(said.firstLines == ["Question of /screens/sheet was answered, and it is over."])
  }

  @Test(arguments: Harness.allCases)
  func `38: a child inside a child takes only itself away`(harness: Harness) async throws {
    try await onBoth(harness) { store in
      await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
      await store.send(.screens(.sheet(.presented(.addNote)))) {
        $0.screens.sheet?.note = Note.State()
      }
      await store.send(.screens(.sheet(.presented(.note(.presented(.write("x"))))))) {
        $0.screens.sheet?.note?.text = "x"
      }
      await store.send(.screens(.sheet(.presented(.note(.presented(.done))))))
      await store.receive(.screens(.sheet(.presented(.note(.dismiss))))) {
        $0.screens.sheet?.note = nil
      }
    }
  }

  @Test(arguments: Harness.allCases)
  func `39: what is still presented at the end is no failure, its endless effect is one`(
    harness: Harness
  ) async throws {
    for isTicking in [false, true] {
      let said = try await texts {
        try await onBoth(harness) { store in
          await store.send(.screens(.open(1))) { $0.screens.sheet = Editor.State(id: 1) }
          if isTicking { await store.send(.screens(.sheet(.presented(.startTimer)))) }
        }
      }
      #expect(said.count == (isTicking ? 1 : 0))
      if isTicking {
        #expect(said.first?.hasPrefix("An effect of /screens/sheet is still alive") == true)
      }
    }
  }
}
