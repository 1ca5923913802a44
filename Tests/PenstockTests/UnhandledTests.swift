import Penstock
import Testing

/// What a body forgot is said, by everything that reduces.
struct UnhandledTests {
  static func child(_ name: String) -> String {
    """
    An action of a child came to / in the case “\(name)”, and no reducer runs for it. Only the logic \
    of / saw it. Either the body of / lacks a Scope, an ifLet or a forEach with action: \\.\(name), so \
    add it, or the case holds no child's action, so give it a type of its own.
    """
  }
  static let binding = """
    A binding of “name” came to /, and nobody puts it into the state, which stays as it was. Add \
    BindingReducer(action: \\.binding) to the body, before the logic that is to see the new value.
    """

  @Test("A child's action without a reducer for it, and a binding, are diagnosed by the store")
  func store() {
    let store = Store(TestApp(Gaps(), Gaps.State()), clock: ManualClock().clock)
    store.send(.child(.increment))
    store.send(.sheet(.dismiss))
    store.send(.other(.increment))
    store.send(.binding(.set(\.name, "x")))
    store.send(.tap)
    #expect(
      store.diagnostics == [
        Self.child("child"), Self.child("sheet"), Self.child("other"), Self.binding,
      ])
    #expect(store.state.seen == 5)
    #expect(store.state.name == "")
  }

  @Test(
    "And by a process",
    arguments: [
      (#"{"child":"increment"}"#, child("child")),
      (#"{"binding":{"name":"x"}}"#, binding),
    ])
  func process(payload: String, text: String) throws {
    let application = Application(TestApp(Gaps(), Gaps.State()))
    let node = try application.node(at: .root, placement: [.root])
    func run<Program: NodeProgram>(_ program: Program) throws -> Transition {
      var state = try program.makeInitialState(now: 0, seed: 0)
      return try program.reduce(
        &state,
        StageInput(sequence: 1, path: .root, payload: Array(payload.utf8), now: 0, seed: 0))
    }
    #expect(try run(node).diagnostics == [text])
  }

  @Test("A body that handles them says nothing")
  func handled() {
    let store = Store(TestApp(Gaps(isHandled: true), Gaps.State()), clock: ManualClock().clock)
    store.send(.child(.increment))
    store.send(.binding(.set(\.name, "x")))
    #expect(store.diagnostics == [])
    #expect(store.state.child.count == 1)
    #expect(store.state.name == "x")
  }

  @Operation
  struct Unlisted {
    func run(_ context: OperationContext) async throws -> Int { 1 }
  }

  @Reducer
  struct Starter {
    struct State { var log: [String] = [] }
    enum Action { case start, answer(Outcome<Int>) }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .start: return .run(Unlisted(), to: \.answer)
        case .answer(let outcome):
          state.log.append("\(outcome)")
          return .none
        }
      }
    }
  }

  @Test("An operation that the application does not name fails, and is diagnosed")
  func operation() async throws {
    let store = Store(TestApp(Starter(), Starter.State()), clock: ManualClock().clock)
    try await store.send(.start).finish()
    #expect(
      store.diagnostics == [
        """
        / started the operation “UnhandledTests.Unlisted”, and nobody serves it: it fails. Add its \
        type to the operations of the application, and start workers of that build.
        """
      ])
    #expect(store.state.log.count == 1)
    #expect(store.state.log[0].hasPrefix("failure("))
  }
}
