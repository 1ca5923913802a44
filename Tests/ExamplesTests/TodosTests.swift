import HarnessSupport
import Penstock
import PenstockTesting
import Testing
@testable import TodosFeature

@Suite(.serialized) struct TodosTests {
  func store(_ harness: Harness, _ texts: [String]) throws -> TestStoreOf<Todos> {
    var state = Todos.State()
    for text in texts {
      state.rows.append(Todo.State(id: state.nextID, text: text))
      state.nextID += 1
    }
    return try harness.store(TodosApp(), from: state, executable: "todos")
  }

  @Test(arguments: Harness.allCases)
  func `rows are added, edited, moved and deleted`(harness: Harness) async throws {
    let store = try store(harness, ["tea"])
    await store.send(.add("milk")) {
      $0.rows.append(Todo.State(id: 2, text: "milk"))
      $0.nextID = 3
    }
    await store.send(.rows(.element(id: 2, action: .binding(.set(\.text, "oat milk"))))) {
      $0.rows[id: 2]?.text = "oat milk"
    }
    await store.send(.move(id: 2, to: 0)) { $0.rows.move(from: 1, to: 0) }
    await store.send(.move(id: 9, to: 0))
    await store.send(.delete([1, 9])) { $0.rows.remove(id: 1) }
  }

  @Test(arguments: Harness.allCases)
  func `what is done goes to the end a second after the last was done`(harness: Harness)
    async throws
  {
    let store = try store(harness, ["a", "b", "c"])
    await store.send(.rows(.element(id: 1, action: .toggle))) { $0.rows[id: 1]?.isDone = true }
    await store.advance(by: .milliseconds(500))
    await store.send(.rows(.element(id: 2, action: .toggle))) { $0.rows[id: 2]?.isDone = true }
    await store.advance(by: .milliseconds(999))
    await store.advance(by: .milliseconds(1))
    await store.receive(\.sort) { $0.rows.move(from: 2, to: 0) }
    #expect(store.state.rows.map(\.id) == [3, 1, 2])
    await store.send(.clearDone) { $0.rows.removeAll(where: \.isDone) }
  }

  @Test(arguments: Harness.allCases)
  func `filters show and change nothing`(harness: Harness) async throws {
    let store = try store(harness, ["a", "b"])
    store.exhaustivity = .off
    await store.send(.rows(.element(id: 1, action: .toggle)))
    store.exhaustivity = .on
    await store.send(.filter(.done)) { $0.filter = .done }
    #expect(store.state.filtered.map(\.id) == [1])
    await store.send(.filter(.active)) { $0.filter = .active }
    #expect(store.state.filtered.map(\.id) == [2])
    await store.skipInFlightEffects()
  }

  @Test func `ten thousand rows are no obstacle`() async {
    let store = Store(TodosApp(), clock: StoreClock(now: { 0 }, sleep: { _ in }))
    store.send(.fill(10_000))
    for id in stride(from: 1, through: 10_000, by: 1_000) {
      store.send(.rows(.element(id: id, action: .binding(.set(\.text, "row \(id)")))))
    }
    #expect(store.state.rows.count == 10_000)
    #expect(store.state.rows[id: 9_001]?.text == "row 9001")
  }
}
