@testable import LoginFeature
import HarnessSupport
import Penstock
import PenstockTesting
import Testing
@testable import TicTacToeFeature

struct TicTacToeTests {
  @Test(arguments: Harness.allCases)
  func `signing in leads to the games and signing out back`(harness: Harness) async throws {
    let store = try harness.store(TicTacToeApp(), executable: "tictactoe")
    await store.send(.login(.binding(.set(\.email, "ada@example.org")))) {
      $0 = .login(with { $0.email = "ada@example.org" })
    }
    await store.send(.login(.binding(.set(\.password, "engine")))) {
      $0 = .login(
        with {
          $0.email = "ada@example.org"
          $0.password = "engine"
        })
    }
    store.exhaustivity = .off
    await store.send(.login(.submit))
    await store.receive(
      effect: Authenticate(email: "ada@example.org", password: "engine"),
      answer: .output(Authentication(token: "ada")))
    await store.receive(\.login.signedIn, "ada") { $0 = .games(NewGame.State(x: "ada")) }
    store.exhaustivity = .on
    await store.send(.games(.signOut)) { $0 = .login(Login.State()) }
  }

  private func with(_ change: (inout Login.State) -> Void) -> Login.State {
    var state = Login.State()
    change(&state)
    return state
  }

  @Test func `a game is won, counted, played again and left`() async {
    let store = TestStore(initialState: NewGame.State(x: "Ada")) { NewGame() }
    await store.send(.start)
    await store.send(.binding(.set(\.o, "Grace"))) { $0.o = "Grace" }
    await store.send(.start) { $0.game = Game.State(x: "Ada", o: "Grace") }
    for (turn, place) in [0, 3, 1, 4].enumerated() {
      await store.send(.game(.presented(.play(place)))) {
        $0.game?.board.places[place] = .taken(turn % 2 == 0 ? .x : .o)
        $0.game?.board.turn = turn % 2 == 0 ? .o : .x
      }
    }
    // A place is taken once.
    await store.send(.game(.presented(.play(0))))
    await store.send(.game(.presented(.play(9))))
    await store.send(.game(.presented(.play(2)))) {
      $0.game?.board.places[2] = .taken(.x)
      $0.game?.board.turn = .o
    }
    await store.receive(\.game.presented.ended, .x) { $0.wins.x = 1 }
    #expect(store.state.game?.turn == nil)
    await store.send(.game(.presented(.play(8))))
    await store.send(.game(.presented(.again))) { $0.game?.board = Board() }
    await store.send(.game(.presented(.quit)))
    await store.receive(\.game.dismiss) { $0.game = nil }
  }

  @Test func `a full board without a line is a draw`() async {
    let store = TestStore(initialState: Game.State(x: "Ada", o: "Grace")) { Game() }
    store.exhaustivity = .off
    for place in [0, 1, 2, 4, 3, 5, 7, 6, 8] { await store.send(.play(place)) }
    await store.receive(\.ended, nil)
    #expect(store.state.board.winner == nil)
    #expect(store.state.board.isOver)
  }
}
