import Machines
import PenstockCore
import Wire

/// A process that talks to the router.
struct SimulatedPeer {
  enum Kind {
    case feature(Path)
    case worker(String)
    case client(String)
  }

  var kind: Kind
  var life = 0
  var isAlive = false
  var connection = 0
  var lastToPeer: Int64 = 0
  var lastToRouter: Int64 = 0
  var wakeAt: Int64?
  var stoppedUntil: Int64?
  var link: LinkClient?
  var feature: (any FeatureMachine)?
  var worker: WorkerHost?
  var client: ClientMachine?
  var operations: [EffectID: SimulatedOperation] = [:]
  /// The cut that a client's mirror shows.
  var stateAsOf: UInt64 = 0

  init(kind: Kind) { self.kind = kind }
}

extension Simulator {
  func startPeer(_ index: Int) {
    peers[index].life += 1
    if peers[index].life > 1 { report.restarts += 1 }
    peers[index].isAlive = true
    peers[index].connection += 1
    peers[index].stoppedUntil = nil
    peers[index].wakeAt = nil
    peers[index].link = LinkClient(seed: generator.next(), now: now)
    switch peers[index].kind {
    case .feature(let path):
      do {
        peers[index].feature = makeFeatureMachine(
          try program.node(at: path, placement: placement))
      } catch {
        fail("\(path) can't be a process: \(error)")
        return
      }
      send(hello(of: index), from: index)
    case .worker: startWorker(index)
    case .client: startClient(index)
    }
    pollPeer(index)
  }

  func hello(of index: Int) -> Message {
    let role: Role
    let name: String
    switch peers[index].kind {
    case .feature(let path): (role, name) = (.feature, path.description)
    case .worker(let worker): (role, name) = (.worker, worker)
    case .client(let client): (role, name) = (.client, client)
    }
    return .hello(
      Hello(
        role: role, name: name, session: UInt64(index) << 32 | UInt64(peers[index].life),
        application: program.description.name, schemaHash: program.description.schemaHash,
        description: JSONWriter.bytes(of: program.description), queues: ["default"], slots: 4))
  }

  func send(_ message: Message, from index: Int) {
    do {
      try peers[index].link!.enqueue(message)
    } catch {
      fail("a message of peer \(index) can't be sent: \(error)")
    }
  }

  func peerReceived(_ index: Int, _ frame: Bytes) {
    guard peers[index].isAlive else { return }
    let life = peers[index].life
    for event in peers[index].link!.receive(frame, now: now) {
      switch event {
      case .message(let message): deliver(message, to: index)
      case .restarted: linkRestarted(index)
      case .refused(let refusal): peerRefused(index, refusal)
      }
      guard peers[index].isAlive, peers[index].life == life else { return }
    }
    pollPeer(index)
  }

  private func deliver(_ message: Message, to index: Int) {
    switch peers[index].kind {
    case .feature:
      if case .refused(let refusal) = message { return peerRefused(index, refusal) }
      if case .welcome = message { return }
      if case .work(let work) = message { saw(work) }
      for output in peers[index].feature!.handle(message) {
        if chance(odds.featureKill) { return killPeer(index) }
        switch output {
        case .send(let answer): send(answer, from: index)
        case .stop(let reason): fail("a feature stopped: \(reason)")
        }
      }
      if chance(odds.featureKill / 4) { killPeer(index) }
    case .worker: workerReceived(index, message)
    case .client: clientReceived(index, message)
    }
  }

  private func linkRestarted(_ index: Int) {
    switch peers[index].kind {
    // A feature starts over from what the router gives it.
    case .feature: send(hello(of: index), from: index)
    case .worker: workerLinkRestarted(index)
    case .client: clientLinkRestarted(index)
    }
  }

  func peerRefused(_ index: Int, _ refusal: Refusal) {
    guard refusal.code == .fenced else {
      fail("peer \(index) was refused: \(refusal.code.word) \(refusal.message)")
      return
    }
    killPeer(index)
  }

  func killPeer(_ index: Int) {
    guard peers[index].isAlive else { return }
    trace("peer \(index) dies")
    peers[index].isAlive = false
    peers[index].life += 1
    peers[index].feature = nil
    peers[index].worker = nil
    peers[index].operations = [:]
    peers[index].link = nil
    let pause =
      generator.happens(250_000)
      ? Int64.random(in: 1_000_000...6_000_000, using: &generator)
      : Int64.random(in: 5_000...100_000, using: &generator)
    queue.add(.startPeer(index), at: now + pause)
  }

  func pollPeer(_ index: Int) {
    guard peers[index].isAlive, peers[index].link != nil else { return }
    if chance(odds.reconnect) { reconnect(index) }
    for frame in peers[index].link!.poll(now: now) {
      let life = peers[index].life
      let connection = peers[index].connection
      travel(from: &peers[index].lastToRouter) {
        .toRouter(peer: index, life: life, connection: connection, frame: frame)
      }
    }
    if chance(odds.stop) {
      peers[index].stoppedUntil = now + Int64.random(in: 1_000...3_500_000, using: &generator)
    }
    guard let deadline = peers[index].link!.nextDeadline(now: now).map({ max($0, now + 1) })
    else { return }
    if peers[index].wakeAt.map({ deadline < $0 }) ?? true {
      peers[index].wakeAt = deadline
      queue.add(.wakePeer(peer: index, life: peers[index].life), at: deadline)
    }
  }

  /// The connection breaks: what was on the way is lost, the peer has another routing id.
  private func reconnect(_ index: Int) {
    peers[index].connection += 1
    peers[index].link!.transportReconnected()
  }
}
