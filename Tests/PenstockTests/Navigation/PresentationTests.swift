import FoundationEssentials
import Penstock
import PenstockTesting
import Testing

/// 26–39: features that are presented.
struct PresentationTests {
  func store(_ state: Inventory.State = Inventory.State()) -> TestStoreOf<Inventory> {
    TestStore(initialState: state) { Inventory() }
  }

  @Test("26: present, change, dismiss")
  func dismiss() async {
    let store = store()
    await store.send(.open(1)) { $0.sheet = Editor.State(id: 1) }
    await store.send(.sheet(.presented(.increment))) { $0.sheet?.count = 1 }
    await store.send(.sheet(.dismiss)) {
      $0.last = 1
      $0.sheet = nil
    }
  }

  @Test("27: a child that dismisses itself is seen by its parent once more")
  func itself() async {
    let store = store()
    await store.send(.open(1)) { $0.sheet = Editor.State(id: 1) }
    await store.send(.sheet(.presented(.close))) { $0.sheet?.count = -1 }
    await store.receive(\.sheet.dismiss) {
      $0.last = -1
      $0.sheet = nil
    }
  }

  @Test("28: so does one that was there from the start, and again")
  func again() async {
    let store = store(Inventory.State(destination: .edit(Editor.State(id: 1))))
    for _ in 0..<2 {
      store.exhaustivity = .off
      await store.send(.destination(.presented(.edit(.close))))
      await store.receive(\.destination.dismiss) { $0.destination = nil }
      await store.send(.edit(1))
      #expect(store.state.destination != nil)
    }
  }

  @Test("29: a presented timer ends with its feature, whoever takes it away")
  func timer() async {
    let store = store()
    for isItself in [false, true] {
      store.exhaustivity = .off
      await store.send(.open(1))
      store.exhaustivity = .on
      await store.send(.sheet(.presented(.startTimer)))
      await store.advance(by: .seconds(1))
      await store.receive(\.sheet.presented.tick) { $0.sheet?.count = 1 }
      store.exhaustivity = .off
      await store.send(isItself ? .sheet(.presented(.close)) : .dismissAll)
      await store.skipReceivedActions(strict: false)
      store.exhaustivity = .on
      await store.advance(by: .seconds(5))
      await store.finish()
    }
  }

  @Test("30: another id is another feature; the same id with a fresh state goes on")
  func identity() async {
    let store = store()
    await store.send(.open(0)) { $0.sheet = Editor.State(id: 0) }
    await store.send(.sheet(.presented(.startTimer)))
    await store.send(.open(1)) { $0.sheet = Editor.State(id: 1) }
    await store.advance(by: .seconds(1))
    await store.send(.sheet(.presented(.startTimer)))
    await store.send(.open(1))
    await store.advance(by: .seconds(2))
    await store.receive(\.sheet.presented.tick) { $0.sheet?.count = 1 }
    await store.receive(\.sheet.presented.tick) { $0.sheet?.count = 2 }
    await store.send(.dismissAll) { $0.sheet = nil }
  }

  @Test("32: .dismiss and actions of what is not presented are diagnosed, and the parent runs")
  func absent() {
    let store = Store(TestApp(Inventory(), Inventory.State()), clock: ManualClock().clock)
    store.send(.sheet(.dismiss))
    store.send(.destination(.presented(.edit(.increment))))
    #expect(store.state == Inventory.State())
    #expect(
      store.diagnostics.first == """
        .dismiss came for “sheet” while nothing is presented there. The state stays as it was. Either \
        it was dismissed twice, or its parent took it away before the action came, which is harmless.
        """)
    #expect(store.diagnostics.count == 2)
    #expect(store.diagnostics[1].hasPrefix("An action came to /destination while its state is nil"))
  }

  @Test("33: an alert goes with its action, unless that sets a fresh one")
  func alert() async {
    let store = store()
    func alert() -> Destination.State {
      .alert(AlertState("Delete?", buttons: [.init("Delete", role: .destructive, action: .delete)]))
    }
    await store.send(.ask) { $0.destination = alert() }
    await store.send(.destination(.presented(.alert(.again)))) { $0.destination = alert() }
    await store.send(.destination(.presented(.alert(.delete)))) {
      $0.isDeleted = true
      $0.destination = nil
    }
  }

  @Test("35: an action of the other case is diagnosed, and the alert stays")
  func otherCase() {
    let store = Store(TestApp(Inventory(), Inventory.State()), clock: ManualClock().clock)
    store.send(.ask)
    let before = store.state
    store.send(.destination(.presented(.edit(.increment))))
    #expect(store.state == before)
    #expect(store.diagnostics.count == 1)
    #expect(
      store.diagnostics[0].hasPrefix("An action came to /destination/edit while the state is"))
  }

  @Test("36: what changes its own id is another feature: the response never arrives")
  func ownID() async {
    let store = store()
    await store.send(.open(1)) { $0.sheet = Editor.State(id: 1) }
    await store.send(.sheet(.presented(.load)))
    await store.receive(effect: Work(number: 0))
    await store.send(.sheet(.presented(.renumber(2)))) { $0.sheet?.id = 2 }
    await store.finish()
  }

  @Test("38: a child inside a child takes only itself away")
  func inner() async {
    let store = store()
    await store.send(.open(1)) { $0.sheet = Editor.State(id: 1) }
    await store.send(.sheet(.presented(.addNote))) { $0.sheet?.note = Editor.Note.State() }
    await store.send(.sheet(.presented(.note(.presented(.done)))))
    await store.receive(\.sheet.presented.note.dismiss) { $0.sheet?.note = nil }
  }

  @Test("A feature that nobody presents can't take itself away, and that is said")
  func notPresented() {
    let store = Store(TestApp(Editor(), Editor.State()), clock: ManualClock().clock)
    store.send(.close)
    #expect(
      store.diagnostics == [
        """
        / returned .dismiss, and nobody presents it: no feature above it is an ifLet over a \
        PresentationAction or an element of a stack. It stays. Let its parent take it away, or \
        present it.
        """
      ])
  }

  @Test("Addresses leave “presented” out, and what dismisses is the parent's action (R12)")
  func addresses() throws {
    let application = Application(TestApp(Inventory(), Inventory.State()))
    func canonical(_ text: String) -> String? {
      application.description.canonical(.root, Array(text.utf8)).map {
        "\($0.path) \(String(decoding: $0.payload, as: UTF8.self))"
      }
    }
    #expect(canonical(#"{"sheet":{"presented":"close"}}"#) == #"/sheet "close""#)
    #expect(canonical(#"{"sheet":"dismiss"}"#) == #"/ {"sheet":"dismiss"}"#)
    #expect(
      canonical(#"{"sheet":{"presented":{"note":"dismiss"}}}"#) == #"/sheet {"note":"dismiss"}"#)
    #expect(
      canonical(#"{"path":{"element":{"id":3,"action":{"list":"close"}}}}"#)
        == #"/path/3/list "close""#)
    #expect(
      canonical(#"{"path":{"popFrom":{"id":3}}}"#) == #"/ {"path":{"popFrom":{"id":3}}}"#)
    let (path, payload) = application.address(.sheet(.presented(.note(.presented(.done)))))
    #expect("\(path) \(String(decoding: payload, as: UTF8.self))" == #"/sheet/note "done""#)
    #expect(
      try application.action(at: path, payload) == .sheet(.presented(.note(.presented(.done)))))
  }
}
