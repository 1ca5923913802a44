import Penstock
import PenstockTesting
import Testing

/// 40–43: a path of features.
struct StackTests {
  func store() -> TestStoreOf<Inventory> {
    TestStore(initialState: Inventory.State()) { Inventory() }
  }

  let screen = Screen.State.list(Editor.State())

  @Test("40: ids count up, whoever pushes, and popping takes what is above")
  func ids() async {
    let store = store()
    await store.send(.path(.push(id: 0, state: screen))) {
      $0.path.append(screen)
      $0.seen = ["push #0 of 1"]
    }
    await store.send(.push) { $0.path.append(screen) }
    await store.send(.path(.push(id: 2, state: screen))) {
      $0.path.append(screen)
      $0.seen.append("push #2 of 3")
    }
    await store.send(.push) { $0.path.append(screen) }
    #expect(Array(store.state.path.ids) == [0, 1, 2, 3])
    await store.send(.path(.popFrom(id: 0))) {
      $0.seen.append("pop #0 of 4")
      $0.path.removeAll()
    }
    await store.send(.push) { $0.path.append(screen) }
    #expect(Array(store.state.path.ids) == [4])
  }

  @Test("41: an element that dismisses itself takes what is above along, and its effects end")
  func itself() async {
    let store = store()
    for _ in 0..<3 { await store.send(.push) { $0.path.append(screen) } }
    for id in 0..<3 {
      await store.send(.path(.element(id: StackElementID(id), action: .list(.startTimer))))
    }
    await store.send(.path(.element(id: 1, action: .list(.close)))) {
      $0.path[id: 1] = .list(Editor.State(count: -1))
    }
    await store.receive(\.path.popFrom, 1) {
      $0.seen = ["pop #1 of 3"]
      $0.path.pop(from: 1)
    }
    await store.advance(by: .seconds(1))
    await store.receive(.path(.element(id: 0, action: .list(.tick)))) {
      $0.path[id: 0] = .list(Editor.State(count: 1))
    }
    await store.send(.remove(0)) { $0.path.removeAll() }
    await store.advance(by: .seconds(1))
  }

  @Test("43: four ways of naming the wrong element, each told, and the parent runs")
  func wrong() {
    let store = Store(TestApp(Inventory(), Inventory.State()), clock: ManualClock().clock)
    store.send(.push)
    store.send(.path(.element(id: 999, action: .list(.increment))))
    store.send(.path(.popFrom(id: 999)))
    store.send(.path(.push(id: 0, state: screen)))
    store.send(.path(.push(id: 7, state: screen)))
    #expect(store.diagnostics.count == 4)
    #expect(store.diagnostics[0].hasPrefix("An action came to /path/999, an element that is not"))
    #expect(
      Array(store.diagnostics.dropFirst()) == [
        """
        .popFrom of “path” came with the id #999, and no element has it. The state stays as it was. \
        Either it was popped twice, or its parent took it away before the action came, which is \
        harmless.
        """,
        """
        .push of “path” came with the id #0, which was given to an element before. Nothing was \
        pushed. Ids are not used twice: the next one is #1, the stack's nextID.
        """,
        """
        .push of “path” came with the id #7, and the next one is #1. The element was pushed, and the \
        ids between are left out: push with the stack's nextID.
        """,
      ])
    #expect(store.state.seen == ["pop #999 of 1", "push #0 of 1", "push #7 of 2"])
    #expect(Array(store.state.path.ids) == [0, 7])
    #expect(store.state.path.nextID == 8)
  }

  @Test("A stack keeps its ids when it is encoded, and differs element by element")
  func coding() throws {
    var stack = StackState<Screen.State>([screen, screen])
    stack.pop(from: 1)
    let bytes = JSONWriter.bytes(of: stack)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"next":2,"elements":{"0":{"list":{"id":0,"count":0,"note":null}}}}"#)
    #expect(try JSONReader.decode(from: bytes) == stack)
    var changed = stack
    changed[id: 0] = .list(Editor.State(count: 3))
    changed.append(.detail(Editor.Note.State()))
    let patch = StackState.patch(from: stack, to: changed)
    #expect(
      patch.operations.map { $0.path.joined(separator: "/") } == [
        "next", "elements/0/list/count", "elements/2",
      ])
    try stack.apply(patch)
    #expect(stack == changed)
  }
}
