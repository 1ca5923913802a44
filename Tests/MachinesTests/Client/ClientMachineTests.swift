import Machines
import PenstockCore
import Simulation
import Testing
import Wire
import WireTestSupport

@Suite struct ClientMachineTests {
  /// The router's side of one session (C-1 to C-4), with a journal whose tail may be lost.
  struct Model {
    var random: SeededGenerator
    var client = ClientMachine(hello: Hello(role: .client, name: "c", session: 7))
    /// What is numbered, by client sequence from 1; the first ones are durable.
    var order: [Bytes] = []
    var durable = 0
    var told = 0
    var confirmed: UInt64 = 0
    var toRouter: [Message] = []
    var toClient: [Message] = []
    /// Settled tickets, and whether they were committed.
    var settled: [UInt64: Bool] = [:]
    var problems: [String] = []
    var refuses = true
    var refusals = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func perform(_ outputs: [ClientOutput]) {
      for output in outputs {
        switch output {
        case .send(let message): toRouter.append(message)
        case .settled(let ticket, let outcome):
          let isCommitted = if case .committed = outcome.status { true } else { false }
          if settled.updateValue(isCommitted, forKey: ticket) != nil {
            problems.append("ticket \(ticket) settled twice")
          }
        default: break
        }
      }
    }

    mutating func restartLink() {
      toRouter = []
      toClient = []
      perform(client.linkStarted())
    }

    mutating func restartRouter() {
      order = Array(order[..<durable])
      restartLink()
    }

    mutating func routerStep() {
      guard !toRouter.isEmpty else { return }
      switch toRouter.removeFirst() {
      case .hello:
        told = durable
        toClient.append(
          .welcome(
            Welcome(
              application: "", start: 1, nextClientSequence: UInt64(order.count) + 1,
              isDurable: true)))
      case .confirm(let upTo):
        if upTo > durable { problems.append("confirmed \(upTo), durable are \(durable)") }
        confirmed = upTo
      case .submit(let submit): submitted(submit)
      default: break
      }
    }

    private mutating func submitted(_ submit: Submit) {
      let sequence = submit.clientSequence
      if sequence <= confirmed { problems.append("\(sequence) comes after its confirmation") }
      if sequence <= order.count {
        if order[Int(sequence) - 1] != submit.payload { problems.append("\(sequence) changed") }
        if sequence <= durable { tell(Int(sequence)) }
      } else if sequence > order.count + 1 {
        refuse(sequence, .afterRefusal)
      } else if refuses, random.chance(15) {
        refusals += 1
        refuse(sequence, .unavailable)
      } else {
        order.append(submit.payload)
      }
    }

    private mutating func refuse(_ sequence: UInt64, _ code: ErrorCode) {
      let refusal = Refusal(code: code, message: "")
      toClient.append(.outcome(ClientOutcome(clientSequence: sequence, status: .refused(refusal))))
    }

    private mutating func tell(_ sequence: Int) {
      let status = ClientOutcome.Status.committed(
        sequence: UInt64(sequence) + 100, isUnmounted: false)
      toClient.append(
        .outcome(ClientOutcome(clientSequence: UInt64(sequence), status: status)))
    }

    mutating func sync() {
      durable = order.count
      while told < durable {
        told += 1
        tell(told)
      }
    }

    mutating func clientStep() {
      guard !toClient.isEmpty else { return }
      perform(client.received(toClient.removeFirst()))
    }
  }

  @Test(arguments: [
    ("/" + String(repeating: "a", count: 1_024), 0), ("/", (1 << 20) + 1),
  ])
  func `an action that no message can hold is refused and holds up none`(path: String, size: Int)
    throws
  {
    var model = Model(seed: 1)
    model.restartLink()
    let path = try #require(Path(path))
    let (ticket, outputs) = model.client.submit(path, Bytes(repeating: 0x30, count: size))
    guard case .settled(ticket, let outcome)? = outputs.first, outputs.count == 1,
      case .refused(let refusal) = outcome.status
    else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == .tooLarge)
    #expect(model.client.unsettled == 0)
    model.perform(model.client.submit(.root, Bytes("1".utf8)).outputs)
    #expect(model.client.unsettled == 1)
  }

  @Test(
    "Each action is settled once, committed ones are in the order once and in their order (R16, C-1 to C-5)"
  )
  func chaos() {
    var refusals = 0
    for seed in 0..<400 as Range<UInt64> {
      var model = Model(seed: seed)
      var lastTicket: UInt64 = 0
      model.restartLink()
      for step in 0..<3_000 where step < 400 || model.client.unsettled > 0 {
        switch model.random.below(30) {
        case 0 where step < 400: model.restartLink()
        case 1 where step < 400: model.restartRouter()
        case 2...6 where step < 400:
          lastTicket += 1
          let payload = Bytes("\(lastTicket)".utf8)
          model.perform(model.client.submit(.root, payload).outputs)
        case 7...16: model.routerStep()
        case 17...26: model.clientStep()
        default: model.sync()
        }
        if step == 400 { model.refuses = false }
      }
      #expect(model.problems == [], "seed \(seed)")
      let unsettled = model.client.unsettled
      #expect(unsettled == 0, "seed \(seed)")
      let committed = (0..<lastTicket).map { $0 + 1 }.filter { model.settled[$0] == true }
      let isSame = committed.map { Bytes("\($0)".utf8) } == model.order
      #expect(isSame, "seed \(seed)")
      refusals += model.refusals
    }
    #expect(refusals > 1_000)
  }

  @Test("An action that no message can carry is refused here, and those behind it go on (C-5)")
  func excess() {
    var client = subscribed()
    let long = client.submit(.root, Bytes(repeating: 0x20, count: Limits.payload + 1))
    guard case .settled(let ticket, let outcome)? = long.outputs.first,
      case .refused(let refusal) = outcome.status
    else {
      Issue.record("\(long.outputs)")
      return
    }
    #expect(ticket == long.ticket && long.outputs.count == 1)
    #expect(refusal.code == .tooLarge)
    #expect(refusal.message == "the action has 1048577 bytes, at most 1048576 are taken")
    let far = client.submit(Path("/" + String(repeating: "a", count: 2_000))!, [])
    guard case .settled? = far.outputs.first else {
      Issue.record("\(far.outputs)")
      return
    }
    let next = client.submit(.root, Bytes("1".utf8))
    let submit = Submit(clientSequence: 1, path: .root, payload: Bytes("1".utf8))
    #expect(next.outputs == [.send(.submit(submit))])
  }

  private func subscribed() -> ClientMachine {
    var client = ClientMachine(hello: Hello(role: .client, name: "c", session: 7))
    _ = client.linkStarted()
    let welcome = Welcome(application: "", start: 1, nextClientSequence: 1, isDurable: true)
    _ = client.received(.welcome(welcome))
    _ = client.subscribe(Path("/a")!)
    return client
  }

  private func state(_ asOf: UInt64, _ body: StateMessage.Body) -> Message {
    .state(StateMessage(subscription: 1, asOf: asOf, body: body))
  }

  private func set(_ name: String, _ value: String) -> Patch {
    Patch([PatchOperation(path: [name], change: .set(Bytes(value.utf8)))])
  }

  /// What a client sent, by sequence.
  private func sent(_ outputs: [ClientOutput]) -> [String] {
    outputs.compactMap { output in
      guard case .send(.submit(let submit)) = output else { return nil }
      return "\(submit.clientSequence) \(String(decoding: submit.payload, as: UTF8.self))"
    }
  }

  private func committed(_ sequence: UInt64) -> Message {
    .outcome(
      ClientOutcome(
        clientSequence: sequence, status: .committed(sequence: sequence + 100, isUnmounted: false)))
  }

  private func settled(_ outputs: [ClientOutput]) -> [UInt64] {
    outputs.compactMap { if case .settled(let ticket, _) = $0 { ticket } else { nil } }
  }

  @Test("C-13: while a binding is on its way, a newer value replaces the queued one")
  func conflation() {
    var client = subscribed()
    var outputs: [ClientOutput] = []
    for number in 1...100 {
      let payload = Bytes("\(number)".utf8)
      _ = client.submit(.root, payload, setting: "a", into: &outputs)
    }
    #expect(sent(outputs) == ["1 1"])
    #expect(client.unsettled == 2)
    let after = client.received(committed(1))
    #expect(settled(after) == [1])
    #expect(sent(after) == ["2 100"])
    // All that were replaced end with the one that took their place.
    #expect(settled(client.received(committed(2))) == Array(2...100))
    #expect(client.unsettled == 0)
    #expect(sent(client.submit(.root, Bytes("x".utf8), setting: "a").outputs) == ["3 x"])
  }

  @Test("C-13: of too many values that one action replaces the oldest are given up")
  func conflationBound() {
    var client = subscribed()
    var outputs: [ClientOutput] = []
    let count = UInt64(ClientMachine.window) + 10
    for number in 1...count {
      _ = client.submit(.root, Bytes("\(number)".utf8), setting: "a", into: &outputs)
    }
    #expect(settled(outputs) == Array(2...10))
    for case .settled(_, let outcome) in outputs {
      guard case .refused(let refusal) = outcome.status else { continue }
      #expect(refusal.code == .overloaded)
    }
    #expect(sent(client.received(committed(1))) == ["2 \(count)"])
    #expect(settled(client.received(committed(2))) == Array(11...count))
  }

  @Test("C-13: each field has its own value, and other actions keep their place")
  func conflationOrder() {
    var client = subscribed()
    func submit(_ payload: String, _ field: String?, _ path: String = "/") -> [String] {
      sent(client.submit(Path(path)!, Bytes(payload.utf8), setting: field).outputs)
    }
    #expect(submit("a1", "a") == ["1 a1"])
    #expect(submit("b1", "b") == ["2 b1"])
    #expect(submit("a1", "a", "/other") == ["3 a1"])
    #expect(submit("a2", "a") == [])
    #expect(submit("b2", "b") == [])
    #expect(submit("a3", "a") == [])
    // Something else stands behind: what is queued goes before it, and is replaced no more.
    #expect(submit("tap", nil) == ["4 a3", "5 b2", "6 tap"])
    #expect(submit("a4", "a") == [])
    #expect(sent(client.received(committed(1))) == [])
    #expect(sent(client.received(committed(4))) == ["7 a4"])
  }

  @Test("C-13: what a refusal sends back is not replaced, and a new link changes nothing")
  func conflationAfterRefusal() {
    var client = subscribed()
    _ = client.submit(.root, Bytes("a1".utf8), setting: "a")
    _ = client.submit(.root, Bytes("a2".utf8), setting: "a")
    let refused = client.received(
      .outcome(
        ClientOutcome(
          clientSequence: 1, status: .refused(Refusal(code: .unavailable, message: "")))))
    #expect(settled(refused) == [1])
    #expect(sent(refused) == ["1 a2"])
    _ = client.submit(.root, Bytes("a3".utf8), setting: "a")
    _ = client.linkStarted()
    _ = client.submit(.root, Bytes("a4".utf8), setting: "a")
    let welcome = Welcome(application: "", start: 2, nextClientSequence: 1, isDurable: true)
    #expect(sent(client.received(.welcome(welcome))) == ["1 a2"])
    #expect(sent(client.received(committed(1))) == ["2 a4"])
    #expect(settled(client.received(committed(2))) == [3, 4])
  }

  @Test("C-13: without a link other actions keep bindings apart")
  func conflationWithoutLink() {
    var client = ClientMachine(hello: Hello(role: .client, name: "c", session: 7))
    for (payload, field) in [("a1", "a"), ("a2", "a"), ("tap", nil), ("a3", "a"), ("a4", "a")] {
      _ = client.submit(.root, Bytes(payload.utf8), setting: field)
    }
    _ = client.linkStarted()
    let welcome = Welcome(application: "", start: 1, nextClientSequence: 1, isDurable: true)
    #expect(sent(client.received(.welcome(welcome))) == ["1 a2", "2 tap"])
    let outputs = client.received(committed(1))
    #expect(settled(outputs) == [1, 2])
    #expect(sent(outputs) == ["3 a4"])
  }

  @Test("C-13: under refusals and new links each ticket is settled once, and the last values count")
  func conflationChaos() {
    var sentAtAll = 0
    var submitted = 0
    for seed in 0..<200 as Range<UInt64> {
      var model = Model(seed: seed)
      var lastTicket: UInt64 = 0
      model.restartLink()
      for step in 0..<3_000 where step < 400 || model.client.unsettled > 0 {
        switch model.random.below(30) {
        case 0 where step < 400: model.restartLink()
        case 1 where step < 400: model.restartRouter()
        case 2...9 where step < 400:
          lastTicket += 1
          let field = ["a", "b", nil][model.random.below(8) / 3]
          let payload = Bytes("\(lastTicket) \(field ?? "-")".utf8)
          model.perform(model.client.submit(.root, payload, setting: field).outputs)
        case 10...17: model.routerStep()
        case 18...25: model.clientStep()
        default: model.sync()
        }
        if step == 400 { model.refuses = false }
      }
      #expect(model.problems == [], "seed \(seed)")
      #expect(model.client.unsettled == 0 && model.settled.count == lastTicket, "seed \(seed)")
      // What has no field is there in its order, and no value comes before an older one of its field.
      let order = model.order.map { String(decoding: $0, as: UTF8.self).split(separator: " ") }
      for field in ["a", "b", "-"] {
        let numbers = order.filter { $0[1] == field }.compactMap { UInt64($0[0]) }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "seed \(seed)")
      }
      sentAtAll += order.count
      submitted += Int(lastTicket)
    }
    #expect(sentAtAll < submitted)
  }

  @Test("A mirror follows its snapshot and the changes behind it (C-8)")
  func mirror() {
    var client = subscribed()
    _ = client.received(state(3, .snapshot(Bytes(#"{"a":1,"b":2}"#.utf8))))
    let outputs = client.received(state(5, .changes(from: 3, set("b", "7"))))
    #expect(
      outputs == [.state(subscription: 1, asOf: 5, Bytes(#"{"a":1,"b":7}"#.utf8))])
  }

  @Test("A mirror does not go back, and begins again at a gap (C-9, C-10)")
  func gap() {
    var client = subscribed()
    _ = client.received(state(3, .snapshot(Bytes(#"{"a":1}"#.utf8))))
    #expect(client.received(state(2, .snapshot(Bytes(#"{"a":0}"#.utf8)))).isEmpty)
    let outputs = client.received(state(9, .changes(from: 5, set("a", "9"))))
    #expect(outputs == [.send(.subscribe(id: 1, path: Path("/a")!))])
    #expect(
      client.received(state(9, .snapshot(Bytes(#"{"a":9}"#.utf8))))
        == [.state(subscription: 1, asOf: 9, Bytes(#"{"a":9}"#.utf8))])
  }

  @Test("Behind a router that is not durable, a mirror takes what the new one has")
  func notDurable() {
    var client = subscribed()
    _ = client.received(state(9, .snapshot(Bytes(#"{"a":9}"#.utf8))))
    _ = client.linkStarted()
    let welcome = Welcome(application: "", start: 2, nextClientSequence: 1, isDurable: false)
    _ = client.received(.welcome(welcome))
    #expect(
      client.received(state(4, .snapshot(Bytes(#"{"a":4}"#.utf8))))
        == [.state(subscription: 1, asOf: 4, Bytes(#"{"a":4}"#.utf8))])
  }

  @Test("After a restart of the router, subscriptions and questions are made again")
  func restart() {
    var client = subscribed()
    _ = client.request("ps", [])
    _ = client.linkStarted()
    let welcome = Welcome(application: "", start: 2, nextClientSequence: 1, isDurable: true)
    let outputs = client.received(.welcome(welcome))
    #expect(outputs.contains(.send(.subscribe(id: 1, path: Path("/a")!))))
    #expect(outputs.contains(.send(.request(id: 2, verb: "ps", body: []))))
  }
}
