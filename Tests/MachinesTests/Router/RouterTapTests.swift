import Machines
import PenstockCore
import Testing
import Wire

@Suite struct RouterTapTests {
  @Test(arguments: [
    (RouterEvent.message(PeerID(1), .goodbye), "left"), (RouterEvent.peerLost(PeerID(1)), "lost"),
  ])
  func `who says goodbye has left, whose link ends without is lost`(
    end: RouterEvent, state: String
  ) throws {
    var machine = try RouterMachine(
      configuration: RouterConfiguration(), start: 1, entries: [])
    let hello = Hello(
      role: .client, name: "penstock-7", session: 7, processID: 7, application: "",
      schemaHash: 0, description: [])
    let clock = ClockReading(monotonic: 1, wall: 1)
    _ = machine.handle(
      [
        .tapChanged(isListening: true, wantsPatches: false),
        .message(PeerID(1), .hello(hello)),
      ], at: clock)
    // A link that ends after the goodbye changes nothing.
    let outputs = machine.handle([end, .peerLost(PeerID(1))], at: clock)
    let states = outputs.compactMap { output in
      if case .tap(.process(_, _, _, let state, _)) = output { state } else { nil }
    }
    #expect(states == [state])
  }
}
