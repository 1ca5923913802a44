import Machines
import PenstockCore
import Wire

extension Simulator {
  /// A client's process is never killed: what it was told is what the judge goes by.
  func startClient(_ index: Int) {
    guard case .hello(var hello) = hello(of: index) else { return }
    hello.session = UInt64(index) + 1
    peers[index].client = ClientMachine(hello: hello, confirmInterval: 5)
    clientLinkRestarted(index)
    if !odds.isQuiet || !options.hasFaults {
      follow(index, .root)
      follow(index, anyPath())
    }
    queue.add(.act(client: index), at: now + 10_000)
  }

  /// A path whose state has one place: no element's.
  private func anyPath() -> Path {
    let paths = program.description.levels.map(\.path).filter { !$0.components.contains("*") }
    return paths.randomElement(using: &load) ?? .root
  }

  private func follow(_ index: Int, _ path: Path) {
    let (id, outputs) = peers[index].client!.subscribe(path)
    peers[index].followed[id] = path
    if path.isRoot { peers[index].root = id }
    perform(index, outputs)
  }

  private func unfollow(_ index: Int, _ id: UInt32) {
    peers[index].followed[id] = nil
    peers[index].asOf[id] = nil
    if peers[index].root == id { peers[index].root = nil }
    perform(index, peers[index].client!.unsubscribe(id))
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
      case .state(let id, let asOf, let bytes):
        guard let path = peers[index].followed[id] else { continue }
        if let old = peers[index].asOf[id], asOf < old {
          fail(.streamsGoForward, "\(name(of: index))'s \(path) went back from \(old) to \(asOf)")
        }
        peers[index].asOf[id] = asOf
        saw(state: bytes, of: path, asOf: asOf)
      case .settled(let ticket, let outcome): settled(index, ticket, outcome)
      case .reply(let request, _, _): peers[index].requests.remove(request)
      case .welcomed: break
      case .refused(let refusal): peerRefused(index, refusal)
      }
    }
  }

  private func settled(_ index: Int, _ ticket: UInt64, _ outcome: ClientOutcome) {
    guard let known = evidence.submitted[index][ticket] else {
      return fail(.settledOnce, "\(name(of: index)) heard of \(ticket), which it never submitted")
    }
    if let old = known.outcome {
      fail(
        .settledOnce,
        "\(name(of: index)) heard of action \(ticket) twice: \(old), then \(outcome.status)")
    }
    evidence.submitted[index][ticket]?.outcome = outcome.status
  }

  func clientActs(_ index: Int) {
    guard actionsLeft > 0 else { return }
    for _ in 0..<min(actionsLeft, Int.random(in: 1...8, using: &load)) {
      actionsLeft -= 1
      let ordinal = report.actions
      report.actions += 1
      var action = application.action(using: &load)
      guard options.keep.actions?.contains(ordinal) ?? true else { continue }
      // Some of what clients send is no action of the application.
      if strikes(.nonsense) { action.payload = Array(#"{"nonsense":0}"#.utf8) }
      let (ticket, outputs) = peers[index].client!.submit(action.path, action.payload)
      trace(
        "\(name(of: index)) submits action \(ordinal) as \(ticket): \(action.path) "
          + action.payload.text)
      evidence.submitted[index][ticket] = Evidence.Submitted(
        path: action.path, payload: action.payload, session: peers[index].client!.session)
      perform(index, outputs)
    }
    clientLooks(index)
    pollPeer(index)
    if actionsLeft == 0 {
      queue.add(.calm, at: now + 100_000)
    } else {
      let pause =
        load.happens(50_000)
        ? Int64.random(in: 50_000...6_000_000, using: &load)
        : Int64.random(in: 100...12_000, using: &load)
      queue.add(.act(client: index), at: now + pause)
    }
  }

  /// Clients begin and cease to follow states, ask the router things, and end effects by hand.
  private func clientLooks(_ index: Int) {
    if !odds.isQuiet, load.happens(40_000) {
      if let id = peers[index].followed.keys.sorted().randomElement(using: &load) {
        unfollow(index, id)
      } else {
        follow(index, anyPath())
        if peers[index].root == nil { follow(index, .root) }
      }
    }
    // Wanted more than once now and then, and of what is being started again already.
    if let failed = router?.machine.failed.effects.randomElement(using: &load),
      load.happens(100_000)
    {
      ask(index, "retry", #"{"effect":"\#(failed.id)"}"#)
    }
    guard load.happens(60_000) else { return }
    let last = disk.durableThrough
    let sequence = UInt64.random(in: last - min(last, 40)...last, using: &load)
    let verbs = [
      ("ps", "{}"), ("effects", "{}"), ("failed", "{}"), ("ready", "{}"),
      ("trace", #"{"seq":\#(sequence)}"#),
      ("pending", #"{"corr":\#(sequence)}"#), ("cancel", #"{"seq":\#(sequence)}"#),
      ("cancel", #"{"seq":\#(sequence)}"#),
    ]
    guard let (verb, body) = verbs.randomElement(using: &load) else { return }
    ask(index, verb, body)
  }

  private func ask(_ index: Int, _ verb: String, _ body: String) {
    let (id, outputs) = peers[index].client!.request(verb, Array(body.utf8))
    peers[index].requests.insert(id)
    perform(index, outputs)
  }

  /// At the end each client follows the whole state, so that all mirrors can be compared.
  func clientCalms(_ index: Int) {
    guard peers[index].client != nil, peers[index].root == nil else { return }
    follow(index, .root)
    pollPeer(index)
  }
}
