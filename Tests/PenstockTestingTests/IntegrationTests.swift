import Penstock
import PenstockTesting
import Testing

/// A feature with an internal case, and with gaps in its body.
@Reducer
struct Clerk {
  @ObservableState
  struct State {
    var name = ""
    var fact = ""
  }

  enum Action {
    case ask, sendAsk
    case numbers(Numbers.Action)
    case binding(BindingAction<Clerk.State>)
    @Internal case answer(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .sendAsk: return .send(.ask)
      case .ask: return .run(ClerkFact(), to: \.answer)
      case .answer(let fact): state.fact = fact
      case .numbers, .binding: break
      }
      return .none
    }
  }
}

@Operation
struct ClerkFact {
  func run(_ context: OperationContext) async throws -> String { "" }
}

/// What is wrong in how features are put together is a failure.
struct IntegrationTests {
  private func store(_ operations: [any WorkerOperation.Type]? = nil) -> TestStoreOf<Clerk> {
    TestStore(initialState: Clerk.State(), operations: operations) { Clerk() }
  }

  @Test("C-12: an internal action is not sent by a test, and received as any other")
  func internalAction() async {
    let texts = await texts {
      let store = store()
      await store.send(.answer("no"))
      await store.send(.ask)
      await store.receive(effect: ClerkFact(), answer: .output("yes"))
      await store.receive(.answer("yes")) { $0.fact = "yes" }
    }
    #expect(
      texts == [
        """
        .answer("no") was sent, and “answer” of / is internal: only that feature itself and its \
        effects send it.

        It was not handled: in the system a client's is refused. Send the action that leads to it and \
        receive it with “await store.receive(…)”, answer the operation whose output it is, or remove \
        @Internal from the case.
        """
      ])
  }

  @Test("A child's action without a reducer for it, and a binding, are failures")
  func gaps() async {
    let texts = await texts {
      let store = store()
      await store.send(.numbers(.increment))
      await store.send(.binding(.set(\.name, "x")))
    }
    #expect(
      texts == [
        """
        .numbers(.increment): An action of a child came to / in the case “numbers”, and no reducer \
        runs for it. Only the logic of / saw it. Either the body of / lacks a Scope, an ifLet or a \
        forEach with action: \\.numbers, so add it, or the case holds no child's action, so give it a \
        type of its own.
        """,
        texts.last ?? "",
      ])
    #expect(
      texts.last?.hasSuffix(
        """
        : A binding of “name” came to /, and nobody puts it into the state, which stays as it was. \
        Add BindingReducer(action: \\.binding) to the body, before the logic that is to see the new \
        value.
        """) == true)
  }

  @Test("An operation that is none of the application's is a failure when the test says which are")
  func unserved() async {
    let texts = await texts {
      let store = store([])
      await store.send(.ask)
      await store.receive(effect: ClerkFact(), answer: .cancelled)
    }
    #expect(
      texts == [
        """
        .ask: / started the operation “ClerkFact”, and nobody serves it: it would wait for ever. Add \
        its type to the operations of the application, and start workers of that build.
        """
      ])
    let none = await said([ClerkFact.self])
    #expect(none == [])
  }

  @Test("12: cancelling the tree ends what other actions started too")
  func cancelTree() async {
    let texts = await texts {
      let store = store()
      let task = await store.send(.sendAsk)
      await store.receive(.ask)
      await store.receive(effect: ClerkFact())
      await task.cancel()
      await task.finish()
      await task.cancelTree()
      await task.finish()
    }
    #expect(texts.count == 1)
    #expect(texts[0].hasPrefix("An effect of / is still alive at the end:"))
  }

  private func said(_ operations: [any WorkerOperation.Type]) async -> [String] {
    await texts {
      let store = store(operations)
      await store.send(.ask)
      await store.receive(effect: ClerkFact(), answer: .cancelled)
    }
  }
}
