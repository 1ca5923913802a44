import FoundationEssentials
import Penstock
import PenstockTesting
import Testing

struct InputTests {
  @Test("9: the first state reads what the test says, and two draws give two identifiers")
  func initialState() async {
    let date = Date(timeIntervalSince1970: 86_400)
    let store = TestStore(initialState: drawn(), now: date) { Hall() }
    #expect(store.state.opened == date)
    #expect(store.state.pair == [.counted(0), .counted(1)])
    #expect(
      store.state.pair.map(\.uuidString) == [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
      ])
    await store.send(.draw) {
      $0.pair = [.counted(2), .counted(3)]
      $0.die = store.state.die
    }
  }

  private func drawn() -> Hall.State {
    @Dependency(\.uuid) var uuid
    @Dependency(\.now) var now
    return Hall.State(pair: [uuid(), uuid()], opened: now)
  }

  @Test("64: what is replaced in the middle of a test counts from the next action on")
  func replaced() async {
    let store = TestStore(initialState: Hall.State()) { Hall() }
    await store.send(.draw) {
      $0.pair = [.counted(0), .counted(1)]
      $0.opened = Date(timeIntervalSince1970: 0)
      $0.die = 6
    }
    store.inputs.uuids = .constant(.counted(99))
    await store.advance(by: .seconds(60))
    await store.send(.draw) {
      $0.pair = [.counted(99), .counted(99)]
      $0.opened = Date(timeIntervalSince1970: 60)
      $0.die = 4
    }
  }

  @Test("What looks random is the same in each run")
  func random() async {
    func die(_ seed: UInt64 = 0) async -> Int {
      let store = TestStore(initialState: Hall.State(), inputs: TestInputs(seed: seed)) { Hall() }
      store.exhaustivity = .off
      await store.send(.draw)
      return store.state.die
    }
    let first = await die()
    let second = await die()
    #expect(first > 0)
    #expect(second == first)
    var others = Set<Int>()
    for seed in 1...20 { others.insert(await die(UInt64(seed))) }
    #expect(others.count > 1)
  }
}
