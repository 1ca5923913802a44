import Machines
import PenstockCore
import Wire

extension Simulator {
  /// A client's process is never killed: what it was told is what the judge goes by.
  func startClient(_ index: Int) {
    guard case .hello(var hello) = hello(of: index) else { return }
    hello.session = UInt64(index) + 1
    peers[index].client = ClientMachine(hello: hello)
    clientLinkRestarted(index)
    perform(index, peers[index].client!.subscribe(.root).outputs)
    queue.add(.act(client: index), at: now + 10_000)
  }

  func clientLinkRestarted(_ index: Int) { perform(index, peers[index].client!.linkStarted()) }

  func clientReceived(_ index: Int, _ message: Message) {
    if case .outcome(let outcome) = message {
      saw(outcome: outcome, session: peers[index].client!.session)
    }
    perform(index, peers[index].client!.received(message))
  }

  private func perform(_ index: Int, _ outputs: [ClientOutput]) {
    for output in outputs {
      switch output {
      case .send(let message): send(message, from: index)
      case .state(_, let asOf, let bytes):
        if asOf < peers[index].stateAsOf { fail("client \(index)'s state went back to \(asOf)") }
        peers[index].stateAsOf = asOf
        saw(state: bytes ?? [], asOf: asOf)
      case .settled, .reply, .welcomed: break
      case .refused(let refusal): peerRefused(index, refusal)
      }
    }
  }

  func clientActs(_ index: Int) {
    guard actionsLeft > 0 else { return }
    for _ in 0..<min(actionsLeft, Int.random(in: 1...8, using: &generator)) {
      actionsLeft -= 1
      var action = application.action(using: &generator)
      // Some of what clients send is no action of the application.
      if generator.happens(10_000) { action.payload = Array(#"{"nonsense":0}"#.utf8) }
      perform(index, peers[index].client!.submit(action.path, action.payload).outputs)
    }
    pollPeer(index)
    if actionsLeft == 0 {
      queue.add(.calm, at: now + 100_000)
    } else {
      let pause =
        generator.happens(50_000)
        ? Int64.random(in: 50_000...6_000_000, using: &generator)
        : Int64.random(in: 100...12_000, using: &generator)
      queue.add(.act(client: index), at: now + pause)
    }
  }
}
