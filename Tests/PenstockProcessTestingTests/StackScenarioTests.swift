import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// 40–43: a path of features, which run where their stack does.
@Suite(.serialized) struct StackScenarioTests {
  private let screen = Screen.State.list(Editor.State())

  private func onBoth(
    _ harness: Harness,
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    try await harness.scenario("screens", body)
  }

  @Test(arguments: Harness.allCases)
  func `40: ids count up, whoever pushes, and popping takes what is above`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      for id in 0..<4 {
        if id % 2 == 0 {
          let id = StackElementID(id)
          await store.send(.screens(.path(.push(id: id, state: screen)))) {
            $0.screens.path.append(screen)
            $0.screens.seen.append("push \(id) of \($0.screens.path.count)")
          }
        } else {
          await store.send(.screens(.push)) { $0.screens.path.append(screen) }
        }
      }
      #expect(Array(store.state.screens.path.ids) == [0, 1, 2, 3])
      await store.send(.screens(.path(.popFrom(id: 0)))) {
        $0.screens.seen.append("pop #0 of 4")
        $0.screens.path.removeAll()
      }
      await store.send(.screens(.push)) { $0.screens.path.append(screen) }
      #expect(Array(store.state.screens.path.ids) == [4])
    }
  }

  @Test(arguments: Harness.allCases)
  func `41: an element that dismisses itself takes what is above along, and their effects end`(
    harness: Harness
  ) async throws {
    try await onBoth(harness) { store in
      store.exhaustivity = .off
      for id in 0..<3 {
        await store.send(.screens(.push))
        await store.send(
          .screens(.path(.element(id: StackElementID(id), action: .list(.startTimer)))))
      }
      await store.send(.screens(.path(.element(id: 1, action: .list(.close)))))
      await store.receive(\.screens.path.popFrom, 1) { $0.screens.path.pop(from: 1) }
      #expect(Array(store.state.screens.path.ids) == [0])
      store.exhaustivity = .on
      await store.advance(by: .seconds(1))
      await store.receive(.screens(.path(.element(id: 0, action: .list(.tick))))) {
        $0.screens.path[id: 0] = .list(Editor.State(count: 1))
        $0.screens.seen.append("element #0")
      }
      await store.send(.screens(.remove(0))) { $0.screens.path.removeAll() }
      await store.advance(by: .seconds(1))
    }
  }

  @Test(arguments: Harness.allCases)
  func `43: four ways of naming the wrong element, each told, and the parent runs`(
    harness: Harness
  ) async throws {
    let said = try await texts {
      try await onBoth(harness) { store in
        store.exhaustivity = .off
        await store.send(.screens(.push))
        await store.send(.screens(.path(.element(id: 999, action: .list(.increment)))))
        await store.send(.screens(.path(.popFrom(id: 999))))
        await store.send(.screens(.path(.push(id: 0, state: screen))))
        await store.send(.screens(.path(.push(id: 7, state: screen))))
        #expect(
          store.state.screens.seen == [
            "element #999", "pop #999 of 1", "push #0 of 1", "push #7 of 2",
          ])
        #expect(Array(store.state.screens.path.ids) == [0, 7])
      }
    }
    let beginnings = [
      "An action came to /screens/path/999, an element that is not",
      ".popFrom of “path” came with the id #999, and no element has it.",
      ".push of “path” came with the id #0, which was given to an element before.",
      ".push of “path” came with the id #7, and the next one is #1.",
    ]
    #expect(said.count == 4)
    for (text, beginning) in zip(said, beginnings) {
      #expect(text.contains(": \(beginning)"), "\(text)")
    }
  }
}
