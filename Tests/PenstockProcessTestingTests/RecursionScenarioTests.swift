import HarnessSupport
import Penstock
import PenstockTesting
import Testing

@testable import scenarios

/// A feature that contains itself, in a process of its own: what is in it stays in that process.
@Suite(.serialized) struct RecursionScenarioTests {
  @Test(arguments: Harness.allCases)
  func `folders in folders reduce, ask, and end what they asked when they go`(
    harness: Harness
  ) async throws {
    try await harness.scenario("folder") { store in
      await store.send(.folder(.add(1))) { $0.folder.folders.append(Folder.State(id: 1)) }
      await store.send(.folder(.folders(.element(id: 1, action: .add(2))))) {
        $0.folder.seen = 1
        $0.folder.folders[id: 1]?.folders.append(Folder.State(id: 2))
      }
      let ask = Folder.Action.folders(
        .element(id: 1, action: .folders(.element(id: 2, action: .ask))))
      await store.send(.folder(ask)) {
        $0.folder.seen = 2
        $0.folder.folders[id: 1]?.seen = 1
      }
      await store.receive(effect: Question(number: 2), answer: .output("two"))
      await store.receive(
        .folder(
          .folders(
            .element(
              id: 1, action: .folders(.element(id: 2, action: .answered(.success("two")))))))
      ) {
        $0.folder.seen = 3
        $0.folder.folders[id: 1]?.seen = 2
        $0.folder.folders[id: 1]?.folders[id: 2]?.name = "two"
      }
      await store.send(.folder(ask)) {
        $0.folder.seen = 4
        $0.folder.folders[id: 1]?.seen = 3
      }
      await store.receive(effect: Question(number: 2))
      await store.send(.folder(.remove(1))) { $0.folder.folders = [] }
      await store.finish()
    }
  }
}
