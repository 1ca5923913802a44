import Machines
import PenstockCore
import Simulation
import Testing
import Wire
import WireTestSupport

@Suite struct LinkTests {
  static let seeds: Range<UInt64> = 0..<100

  @Test("Over a faulty transport everything arrives once and in order (F-8, F-9)")
  func faultyTransport() {
    var reached = (resends: 0, resets: 0, outOfOrder: 0, duplicates: 0, silent: 0)
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let faults = FaultyTransport.Faults(
        loss: random.below(25), duplication: random.below(20), delay: random.below(40))
      var settings = LinkSettings()
      settings.window = 64
      settings.batchMessages = 1 + random.below(20)
      // Also so small that single messages exceed it.
      if random.chance(50) { settings.batchBytes = 1 + random.below(300) }
      var model = LinkModel(
        seed: seed, clients: 1 + random.below(3), faults: faults, settings: settings)
      let chaosEnds = model.now + 2_000_000
      while model.now < chaosEnds {
        for client in model.clients.indices {
          if random.chance(30) { model.clientSends(client) }
          if random.chance(30), let peer = model.peer(of: client) { model.serverSends(peer) }
          if random.chance(1), random.chance(60) { model.transport.reconnect(client) }
          if random.chance(1), random.chance(5) { model.stall(client) }
          if random.chance(1), random.chance(20) { model.restartClient(client) }
        }
        if random.chance(1), random.chance(20) { model.restartServer() }
        model.step(until: model.now + Int64(random.below(20_000)))
      }
      model.transport.faults = FaultyTransport.Faults()
      let deadline = model.now + 10_000_000
      while model.now < deadline, !model.isSettled { model.step(until: deadline) }
      let isSettled = model.isSettled
      #expect(isSettled, "seed \(seed)")
      reached.resends += model.server.counters.resends
      reached.resets += model.server.counters.resets
      reached.outOfOrder += model.server.counters.outOfOrder
      reached.duplicates += model.server.counters.duplicates
      reached.silent += model.losses.count { $0 == .silent }
      let malformed = model.server.counters.malformed
      #expect(malformed == 0, "seed \(seed)")
    }
    #expect(reached.resends > 100 && reached.resets > 100 && reached.outOfOrder > 100)
    #expect(reached.duplicates > 100 && reached.silent > 20)
  }

  @Test(
    "Without faults a message costs far less than a frame, and idling four frames a second (F-11, F-12)"
  )
  func frames() {
    var model = LinkModel(
      seed: 1, clients: 1, faults: FaultyTransport.Faults(), settings: LinkSettings())
    let end = model.now + 100_000
    while model.now < end { model.step(until: end) }
    let before = model.transport.sent
    for _ in 0..<20_000 { model.clientSends(0) }
    let limit = model.now + 1_000_000
    while !model.isSettled, model.now < limit { model.step(until: limit) }
    let isSettled = model.isSettled
    #expect(isSettled)
    #expect(model.transport.sent - before < 200)
    let idle = model.transport.sent
    let until = model.now + 10_000_000
    while model.now < until { model.step(until: until) }
    #expect(model.transport.sent - idle <= 100)
    #expect(model.server.counters.resends == 0)
  }

  @Test("A router that stood still does not take its peers for dead (F-13)")
  func pause() {
    var model = LinkModel(
      seed: 1, clients: 2, faults: FaultyTransport.Faults(), settings: LinkSettings())
    let end = model.now + 100_000
    while model.now < end { model.step(until: end) }
    model.now += 5_000_000
    #expect(model.server.poll(now: model.now).events.isEmpty)
  }

  @Test("A silent peer is lost after the liveness time, and its return is a new link (F-13)")
  func silence() {
    var model = LinkModel(
      seed: 1, clients: 1, faults: FaultyTransport.Faults(), settings: LinkSettings())
    let end = model.now + 100_000
    while model.now < end { model.step(until: end) }
    model.transport.faults.loss = 100
    let silent = model.now + 1_400_000
    while model.now < silent { model.step(until: silent) }
    #expect(model.losses == [.silent])
    #expect(model.clients[0].isSilent(now: model.now))
    model.transport.faults.loss = 0
    let deadline = model.now + 3_000_000
    while model.now < deadline, !model.isSettled { model.step(until: deadline) }
    let isSettled = model.isSettled
    #expect(isSettled)
    #expect(model.clientLinks == [2])
  }

  @Test("A peer that sends beyond its credit is rejected with the reason (F-10)")
  func beyondCredit() throws {
    var server = LinkServer(incarnation: 5, now: 0)
    let header = LinkHeader(flags: .start, sender: 1 << 30, receiver: 0, first: 65)
    let frame = try Codec.encode(Frame(header: header, messages: [.goodbye]))
    let events = server.receive(frame, from: [1], now: 0)
    guard case .lost(_, .rejected(let error))? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(error.message == "link: sequence 65 is beyond the credit of 64.")
    let reply = try #require(server.poll(now: 0).frames.first)
    let rejection = try Codec.decode(reply.frame)
    #expect(rejection.header.flags == .reject && rejection.header.receiver == 1 << 30)
    #expect(
      rejection.messages == [.refused(Refusal(code: .malformed, message: error.message))])
  }

  @Test("A new link of the same process replaces the old one, and the old one can't come back")
  func replaced() throws {
    var server = LinkServer(incarnation: 5, now: 0)
    func start(_ incarnation: UInt64) throws -> Bytes {
      let header = LinkHeader(flags: .start, sender: incarnation, receiver: 0, first: 1)
      return try Codec.encode(Frame(header: header, messages: [.goodbye]))
    }
    let process: UInt64 = 9 << 24
    _ = server.receive(try start(process + 1), from: [1], now: 0)
    let events = server.receive(try start(process + 2), from: [2], now: 0)
    #expect(events == [.lost(PeerID(1), .replaced), .message(PeerID(2), .goodbye)])
    _ = server.poll(now: 0)
    #expect(server.receive(try start(process + 1), from: [1], now: 0).isEmpty)
    let frames = server.poll(now: 0).frames.filter { $0.route == [1] }
    #expect(try frames.map { try Codec.decode($0.frame).header.flags } == [.reset])
    #expect(server.receive(try start(process), from: [3], now: 0).isEmpty)
    #expect(server.peerIDs == [PeerID(2)])
  }

  @Test("Garbage is counted and answered with nothing (F-7)")
  func garbage() throws {
    var server = LinkServer(incarnation: 5, now: 0)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<1_000 {
      let frame = (0..<random.below(100)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(server.receive(frame, from: [1], now: 0).isEmpty)
    }
    var other = Codec.join(LinkHeader(sender: 1, receiver: 0), [])
    other[2] = 2
    #expect(server.receive(other, from: [1], now: 0).isEmpty)
    #expect(server.poll(now: 0).frames.isEmpty)
    #expect(server.counters.malformed == 1_000)
    #expect(server.counters.unknownVersion == 1)
  }

  @Test("A disconnected peer gets what was enqueued before, and no loss is reported")
  func disconnect() throws {
    var server = LinkServer(incarnation: 5, now: 0)
    var client = LinkClient(seed: 77 << 40, now: 0)
    try client.enqueue(.goodbye)
    var peer = PeerID(0)
    for frame in client.poll(now: 0) {
      for case .message(let id, _) in server.receive(frame, from: [1], now: 0) { peer = id }
    }
    try server.enqueue(.refused(Refusal(code: .fenced, message: "newer")), to: peer)
    server.disconnect(peer, now: 0)
    var events: [LinkClient.Event] = []
    for outgoing in server.poll(now: 0).frames {
      events += client.receive(outgoing.frame, now: 1)
    }
    #expect(events == [.message(.refused(Refusal(code: .fenced, message: "newer")))])
    #expect(client.backlog == 0)
    for frame in client.poll(now: 20_000) { _ = server.receive(frame, from: [1], now: 20_000) }
    #expect(server.poll(now: 20_000).events.isEmpty)
    #expect(server.peerIDs.isEmpty)
  }

  @Test("What an old link brought is not handled any more once the new one began, but a refusal is")
  func restartWithinBurst() throws {
    let refused = Message.refused(Refusal(code: .fenced, message: "newer"))
    for (last, expected) in [
      (Message.retired(sequence: 1), [LinkClient.Event.restarted]),
      (refused, [.message(refused), .restarted]),
    ] {
      var server = LinkServer(incarnation: 5, now: 0)
      var client = LinkClient(seed: 77 << 40, now: 0)
      try client.enqueue(.goodbye)
      let hello = client.poll(now: 0)
      for frame in hello { _ = server.receive(frame, from: [1], now: 0) }
      let peer = try #require(server.peerIDs.first)
      try server.enqueue(.retired(sequence: 0), to: peer)
      try server.enqueue(last, to: peer)
      var events: [LinkClient.Event] = []
      func take(_ frames: [LinkServer.Outgoing]) {
        for outgoing in frames {
          outgoing.frame.withUnsafeBytes { client.receive($0, into: &events, now: 1) }
        }
      }
      take(server.poll(now: 0).frames)
      #expect(events == [.message(.retired(sequence: 0)), .message(last)])
      // The next router knows nothing of this link.
      var next = LinkServer(incarnation: 6, now: 0)
      for frame in client.poll(now: 300_000) { _ = next.receive(frame, from: [1], now: 0) }
      take(next.poll(now: 0).frames)
      #expect(events == expected)
    }
  }

  @Test("A peer that takes nothing is cut off, so that memory stays bounded")
  func overrun() throws {
    var settings = LinkSettings()
    settings.outboxMessages = 100
    var server = LinkServer(incarnation: 5, settings: settings, now: 0)
    let start = LinkHeader(flags: .start, sender: 1 << 30, receiver: 0, first: 1, credit: 64)
    let frame = try Codec.encode(Frame(header: start, messages: [.goodbye]))
    _ = server.receive(frame, from: [1], now: 0)
    let peer = try #require(server.peerIDs.first)
    for _ in 0..<100 { try server.enqueue(.goodbye, to: peer) }
    #expect(server.poll(now: 0).events.isEmpty)
    #expect(server.counters.messagesSent == 64)
    try server.enqueue(.goodbye, to: peer)
    #expect(server.poll(now: 0).events == [.lost(peer, .overrun)])
  }
}
