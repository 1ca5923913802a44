import Machines
import PenstockCore
import Simulation
import Testing
import Wire
import WireTestSupport

/// Clients and a server over a faulty transport, with owners that only count. Each client numbers
/// its messages within a link and begins each link with a hello that names the link; so does the
/// server for what it sends.
struct LinkModel {
  struct Stream: Equatable {
    var received: UInt64 = 0
    var enqueued: UInt64 = 0
  }

  var now: Int64 = 1_000_000
  var random: SeededGenerator
  var transport: FaultyTransport
  var server: LinkServer
  var clients: [LinkClient]
  /// Per client: the number of its link, and what was said on it.
  var clientLinks: [UInt64]
  var clientStreams: [Stream]
  /// Per peer that the server knows.
  var serverStreams: [PeerID: Stream] = [:]
  var peerClients: [PeerID: Int] = [:]
  var peerLinks: [PeerID: UInt64] = [:]
  var losses: [LinkServer.Loss] = []
  var stalled: [Int: Int64] = [:]
  let settings: LinkSettings

  init(seed: UInt64, clients count: Int, faults: FaultyTransport.Faults, settings: LinkSettings) {
    random = SeededGenerator(seed: seed &* 31)
    transport = FaultyTransport(clients: count, faults: faults, seed: seed)
    self.settings = settings
    server = LinkServer(incarnation: random.next(), settings: settings, now: now)
    clients = []
    clientLinks = []
    clientStreams = []
    for index in 0..<count {
      clients.append(LinkClient(seed: random.next(), settings: settings, now: now))
      clientLinks.append(0)
      clientStreams.append(Stream())
      hello(index)
    }
  }

  mutating func hello(_ client: Int) {
    clientLinks[client] += 1
    clientStreams[client] = Stream()
    let hello = Hello(role: .client, name: "\(client)", session: clientLinks[client])
    try? clients[client].enqueue(.hello(hello))
  }

  mutating func clientSends(_ client: Int) {
    clientStreams[client].enqueued += 1
    try? clients[client].enqueue(.confirm(upTo: clientStreams[client].enqueued))
  }

  mutating func serverSends(_ peer: PeerID) {
    serverStreams[peer]?.enqueued += 1
    try? server.enqueue(.retired(sequence: serverStreams[peer]?.enqueued ?? 0), to: peer)
  }

  mutating func restartServer() {
    transport.loseAll()
    server = LinkServer(incarnation: random.next(), settings: settings, now: now)
    serverStreams = [:]
    peerClients = [:]
    peerLinks = [:]
  }

  mutating func restartClient(_ client: Int) {
    transport.reconnect(client)
    clients[client] = LinkClient(seed: random.next(), settings: settings, now: now)
    hello(client)
  }

  /// The client is not polled for longer than the liveness time.
  mutating func stall(_ client: Int) { stalled[client] = now + settings.livenessTimeout * 3 / 2 }

  /// Delivers what is due, polls everyone, and goes on to the next time at which something happens.
  mutating func step(until end: Int64) {
    for packet in transport.take(now: now) {
      if packet.isToServer {
        handle(server.receive(packet.frame, from: packet.route, now: now))
      } else {
        for event in clients[packet.client].receive(packet.frame, now: now) {
          handle(event, packet.client)
        }
      }
    }
    let (frames, events) = server.poll(now: now)
    handle(events)
    for outgoing in frames {
      guard let client = transport.routes.firstIndex(of: outgoing.route) else { continue }
      transport.send(
        outgoing.frame, client: client, isToServer: false, route: outgoing.route, now: now)
    }
    for index in clients.indices where stalled[index, default: 0] <= now {
      for frame in clients[index].poll(now: now) {
        transport.send(
          frame, client: index, isToServer: true, route: transport.routes[index], now: now)
      }
    }
    var next = min(end, server.nextDeadline ?? .max, transport.nextDue ?? .max)
    for (index, client) in clients.enumerated() {
      let wake = stalled[index, default: 0]
      next = min(next, wake > now ? wake : client.nextDeadline(now: now) ?? .max)
    }
    if next <= now, next != end { Issue.record("a deadline stays due after a poll") }
    now = max(now + 1, next)
  }

  mutating func handle(_ events: [LinkServer.Event]) {
    for event in events {
      switch event {
      case .lost(let peer, let loss):
        losses.append(loss)
        serverStreams[peer] = nil
        peerLinks[peer] = nil
      case .message(let peer, .hello(let hello)):
        #expect(serverStreams[peer] == nil, "a second hello of \(peer)")
        let client = Int(hello.name) ?? -1
        serverStreams[peer] = Stream()
        peerClients[peer] = client
        peerLinks[peer] = hello.session
      case .message(let peer, .confirm(let number)):
        let expected = (serverStreams[peer]?.received ?? 99_999) + 1
        if number != expected { Issue.record("\(number), not \(expected), from \(peer)") }
        serverStreams[peer]?.received = number
      case .message(_, let message): Issue.record("unexpected \(message)")
      case .messages: Issue.record("receive tells messages one by one")
      }
    }
  }

  mutating func handle(_ event: LinkClient.Event, _ client: Int) {
    switch event {
    case .message(.retired(let number)):
      let expected = clientStreams[client].received + 1
      if number != expected { Issue.record("\(number), not \(expected), to client \(client)") }
      clientStreams[client].received = number
    case .message(let message): Issue.record("unexpected \(message)")
    case .restarted: hello(client)
    case .refused(let refusal): Issue.record("refused: \(refusal)")
    }
  }

  /// The peer of the client's present link, if the server has it.
  func peer(of client: Int) -> PeerID? {
    serverStreams.keys.first {
      peerClients[$0] == client && peerLinks[$0] == clientLinks[client]
    }
  }

  var isSettled: Bool {
    clients.indices.allSatisfy { index in
      guard let peer = peer(of: index), let stream = serverStreams[peer] else { return false }
      return stream.received == clientStreams[index].enqueued
        && stream.enqueued == clientStreams[index].received && clients[index].backlog == 0
    }
  }
}
