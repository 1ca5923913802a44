import Penstock
import Testing

/// Large states and actions fit a stack, however they get through the library.
@Suite(.timeLimit(.minutes(5))) struct LargeTests {
  @Test
  func `an action of 300 cases with payloads is coded and reduced`() throws {
    let store = Store(
      TestApp(ManyCases(), ManyCases.State()), clock: ManualClock().clock, checksPurity: true)
    store.send(.number0(1))
    #expect(store.state.last == "first, 1")
    store.send(.number149(label: 7, "x"))
    #expect(store.state.last == "in the middle, 7 x")
    store.send(.number299(true))
    #expect(store.state.last == "last, true")
    #expect(store.state.count == 3)
    let action = ManyCases.Action.number149(label: 7, "x")
    #expect(try JSONReader.decode(from: JSONWriter.bytes(of: action)) == action)
  }

  @Test
  func `a state of 100 kB without a reference in it is reduced, coded and compared`() throws {
    #expect(MemoryLayout<InlineState.State>.size > 100_000)
    #expect(MemoryLayout<InlineState.Action>.size > 8_000)
    let store = Store(
      TestApp(InlineState(), InlineState.State()), clock: ManualClock().clock, checksPurity: true)
    store.send(.fill(5))
    store.send(.replace(Inline8000(f9: Inline800(f9: Inline80(f9: 6)))))
    #expect(store.state.f12.f9.f9.f9 == 5)
    #expect(store.state.f0.f9.f9.f9 == 6)
    #expect(store.state.count == 2)
    let decoded: InlineState.State = try JSONReader.decode(
      from: JSONWriter.bytes(of: store.state))
    #expect(decoded == store.state)
    let patch = InlineState.State.patch(from: InlineState.State(), to: store.state)
    var patched = InlineState.State()
    try patched.apply(patch)
    #expect(patched == store.state)
  }
}
