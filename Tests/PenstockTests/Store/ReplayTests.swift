import Penstock
import Testing

/// Whatever does not follow from the records before it is a divergence (R1).
struct ReplayTests {
  static let app = TestApp(Parent(), Parent.State())

  /// An order with a send, an operation, a timer and a stream in it.
  static func order() async throws -> [OrderRecord] {
    let time = ManualClock()
    let store = Store(app, clock: time.clock)
    store.send(.first(.decrement))
    let stream = store.send(.first(.stream(2)))
    // The pause before its second attempt.
    await time.sleepers(1)
    time.advance(by: .milliseconds(1))
    try await stream.finish()
    store.send(.second(.later(3)))
    await time.sleepers(1)
    time.advance(by: .seconds(1))
    try await store.wait { $0.second.count == 3 }
    return store.order
  }

  func replay(_ order: [OrderRecord]) -> ReplayResult { Store.replay(Self.app, order) }

  func index(_ order: [OrderRecord], where isWanted: (Origin) -> Bool) throws -> Int {
    try #require(order.firstIndex { isWanted($0.origin) })
  }

  @Test("An order that a store made has no divergence (R1)")
  func sound() async throws {
    let order = try await Self.order()
    #expect(replay(order).divergence == nil)
  }

  @Test("An altered send is a divergence, and so is one that stands twice (R1)")
  func sends() async throws {
    var order = try await Self.order()
    let place = try index(order) { if case .send = $0 { true } else { false } }
    var twice = order
    var copy = twice[place]
    copy.sequence += 1
    twice.insert(copy, at: place + 1)
    for later in (place + 2)..<twice.count { twice[later].sequence += 1 }
    #expect(
      replay(twice).divergence
        == Divergence(
          sequence: UInt64(place + 1),
          message: "Send 0 of 1 was not made, or stands in the order already."))
    order[place].payload = Array(#""decrement""#.utf8)
    #expect(
      replay(order).divergence
        == Divergence(sequence: UInt64(place), message: "Send 0 of 1 was another action."))
  }

  @Test("A send overtakes one that waits only when it is set aside at the bound (R16)")
  func overtaking() throws {
    let store = Store(Self.app, clock: ManualClock().clock)
    store.send(.first(.decrement))
    store.send(.first(.decrement))
    let made = store.order
    let clients = made.filter { if case .client = $0.origin { true } else { false } }
    let sends = made.filter { if case .send = $0.origin { true } else { false } }
    try #require(clients.count == 2 && sends.count == 2)
    var order = [made[0], clients[0], clients[1], sends[1], sends[0]]
    for place in order.indices { order[place].sequence = UInt64(place) }
    order[3].origin = .send(cause: 2, index: 0)
    order[4].origin = .send(cause: 1, index: 0)
    #expect(replay(order).divergence?.message == "Send 0 of 2 overtook send 0 of 1.")
    order[3].mark = .runaway
    #expect(replay(order).divergence == nil)
  }

  @Test("Outputs keep their numbers (R14)")
  func outputs() async throws {
    var order = try await Self.order()
    let place = try index(order) { if case .output(_, 1, _) = $0 { true } else { false } }
    guard case .output(let effect, _, let isFinal) = order[place].origin else { return }
    order[place].origin = .output(effect: effect, index: 2, isFinal: isFinal)
    #expect(
      replay(order).divergence?.message == "Output 1 of \(effect) was expected, not 2.")
  }

  @Test("A timer ticks when it is due")
  func timers() async throws {
    var order = try await Self.order()
    let place = try index(order) { if case .timer = $0 { true } else { false } }
    guard case .timer(let effect, let due) = order[place].origin else { return }
    order[place].origin = .timer(effect: effect, due: due + 1)
    #expect(replay(order).divergence?.message == "\(effect) was not due at \(due + 1).")
  }

  @Test("A result of an effect that is not alive is void and changes nothing (R3)")
  func void() async throws {
    var order = try await Self.order()
    let place = try index(order) { if case .timer = $0 { true } else { false } }
    var late = order[place]
    late.sequence = UInt64(order.count)
    order.append(late)
    let result = replay(order)
    #expect(result.divergence == nil)
    #expect(result.voids == [late.sequence])
    #expect(result.finalState == replay(Array(order.dropLast())).finalState)
  }

  @Test("A marked record is void; a send voided as unavailable may come again (R2, R6)")
  func marks() async throws {
    var order = try await Self.order()
    let place = try index(order) { if case .send = $0 { true } else { false } }
    order = Array(order[...place])
    order[place].mark = .unavailable
    var result = replay(order)
    #expect(result.voids == [UInt64(place)])
    #expect(result.unconsumedSends.count == 1)
    var again = order[place]
    again.sequence += 1
    again.mark = nil
    order.append(again)
    result = replay(order)
    #expect(result.divergence == nil)
    #expect(result.unconsumedSends.isEmpty)
    order[place].mark = .poison
    #expect(replay(order).divergence?.sequence == again.sequence)
  }

  @Test("An effect that was never started, a gap and another beginning are divergences")
  func strange() async throws {
    var order = try await Self.order()
    let unknown = EffectID(sequence: 77, path: .root, index: 0)
    var end = order[1]
    end.sequence = UInt64(order.count)
    end.origin = .end(effect: unknown)
    #expect(
      replay(order + [end]).divergence?.message == "No effect 77/#0 was ever started.")
    #expect(
      replay([order[0], order[2]]).divergence
        == Divergence(sequence: 2, message: "1 was expected to be next."))
    order[0].payload = Array("{}".utf8)
    #expect(
      replay(order).divergence?.message == "The application begins with another state.")
    #expect(replay([]).divergence?.message == "The order is empty.")
  }

  /// An order at whose end an effect of a path failed, and the record that starts it again.
  private static func failure(at path: String) async throws -> ([OrderRecord], OrderRecord) {
    let store = Store(app, clock: ManualClock().clock)
    if path == "/guest" { store.send(.present(1)) }
    try await store.send(path == "/guest" ? .guest(.fail(1)) : .first(.fail(1))).finish()
    let order = store.order
    var retry = try #require(order.last)
    guard case .output(let effect, _, isFinal: true) = retry.origin else {
      throw Divergence(sequence: retry.sequence, message: "it is no failure")
    }
    var replay = try OrderReplay(Application(app), initial: order[0])
    for record in order.dropFirst().dropLast() { _ = try replay.apply(record) }
    let start = try #require(replay.living[effect]).start
    retry.sequence += 1
    retry.origin = .retry(effect: effect)
    retry.payload = ReservedPayload.starting([.start(start)])
    return (order, retry)
  }

  @Test("K-1: a retry starts the same effect anew, under its own number, and once")
  func retry() async throws {
    let (order, retry) = try await Self.failure(at: "/first")
    let result = replay(order + [retry])
    #expect(result.divergence == nil)
    let id = EffectID(sequence: retry.sequence, path: Path("/first")!, index: 0)
    #expect(result.livingEffects.keys.sorted() == [id])
    #expect(result.finalState == replay(order).finalState)
    var twice = retry
    twice.sequence += 1
    guard case .retry(let effect) = retry.origin else { return }
    #expect(
      replay(order + [retry, twice]).divergence?.message
        == "\(effect) was started again before.")
    var other = retry
    other.payload = ReservedPayload.starting([])
    #expect(
      replay(order + [other]).divergence?.message == "\(effect) was another effect.")
    var early = retry
    early.sequence -= 1
    #expect(
      replay(Array(order.dropLast()) + [early]).divergence?.message
        == "\(effect) has not ended.")
  }

  @Test("K-1: a retry is void when its owner is gone, or mounted anew", arguments: [1, 2])
  func retryAfterUnmount(actions: Int) async throws {
    let (order, retry) = try await Self.failure(at: "/guest")
    #expect(replay(order + [retry]).livingEffects.count == 1)
    var later = order
    for payload in ["\"dismiss\"", #"{"present":1}"#].prefix(actions) {
      var record = order[1]
      record.sequence = UInt64(later.count)
      record.payload = Array(payload.utf8)
      later.append(record)
    }
    var void = retry
    void.sequence = UInt64(later.count)
    let result = replay(later + [void])
    #expect(result.divergence == nil)
    #expect(result.voids == [void.sequence])
    #expect(result.livingEffects.isEmpty)
  }

  @Test("An action that no level can decode is a divergence unless a mark voids it")
  func undecodable() async throws {
    var order = Array(try await Self.order()[...0])
    order.append(
      OrderRecord(
        sequence: 1, path: Path("/first")!, payload: Array(#""nonsense""#.utf8), now: 1, seed: 1,
        origin: .client(session: 1, sequence: 1), correlation: 1))
    #expect(
      replay(order).divergence?.message.hasPrefix("The action at /first is not a Action:") == true)
    order[1].mark = .undecodable
    #expect(replay(order).divergence == nil)
  }
}
