import Machines
import PenstockCore
import Wire

extension Simulator {
  func name(of index: Int) -> String {
    switch peers[index].kind {
    case .feature(let path): path.description
    case .worker(let name), .client(let name): name
    }
  }

  func startPeer(_ index: Int) {
    peers[index].life += 1
    if peers[index].life > 1 { report.restarts += 1 }
    trace("\(name(of: index)) starts")
    peers[index].isAlive = true
    peers[index].connection += 1
    peers[index].stoppedUntil = nil
    peers[index].wakeAt = nil
    peers[index].backlog = nil
    peers[index].link = LinkClient(seed: generator.next(), settings: linkSettings, now: now)
    switch peers[index].kind {
    case .feature(let path):
      do {
        peers[index].feature = makeFeatureMachine(
          try program.node(at: path, placement: placement))
      } catch {
        return fail(.nobodyGivesUp, "\(path) can't be a process: \(error)")
      }
      send(hello(of: index), from: index)
    case .worker: startWorker(index)
    case .client: startClient(index)
    }
    pollPeer(index)
  }

  func hello(of index: Int) -> Message {
    let role: Role =
      switch peers[index].kind {
      case .feature: .feature
      case .worker: .worker
      case .client: .client
      }
    return .hello(
      Hello(
        role: role, name: name(of: index),
        session: UInt64(index) << 32 | UInt64(peers[index].life),
        application: program.description.name, schemaHash: program.description.schemaHash,
        description: JSONWriter.bytes(of: program.description), queues: ["default"],
        slots: SimulatedPeer.slots))
  }

  func send(_ message: Message, from index: Int) {
    do {
      try peers[index].link!.enqueue(message)
    } catch {
      fail(.nobodyGivesUp, "a message of \(name(of: index)) can't be sent: \(error)")
    }
  }

  func peerReceived(_ index: Int, _ frame: Bytes) {
    guard peers[index].isAlive else { return }
    let life = peers[index].life
    for event in peers[index].link!.receive(frame, now: now) {
      switch event {
      case .message(let message):
        if case .feature = peers[index].kind, peers[index].backlog == nil, strikes(.featureHang) {
          peers[index].backlog = []
          queue.add(
            .endHang(peer: index, life: peers[index].life), at: now + faultTime(1_000...4_000_000))
        }
        if peers[index].backlog == nil {
          deliver(message, to: index)
        } else {
          peers[index].backlog?.append(message)
        }
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
      if case .work(let work) = message {
        saw(work)
        if isPoison(work, for: index) {
          trace("\(name(of: index)) is killed by \(work.sequence)")
          return killPeer(index)
        }
      }
      for output in peers[index].feature!.handle(message) {
        if strikes(.featureKill) { return killPeer(index) }
        switch output {
        case .send(let answer): send(answer, from: index)
        case .stop(let reason), .mismatch(let reason):
          fail(.nobodyGivesUp, "a feature stopped: \(reason)")
        }
      }
      if strikes(.featureKill, divided: 4) { killPeer(index) }
    case .worker: workerReceived(index, message)
    case .client: clientReceived(index, message)
    }
  }

  /// Some clients' actions kill every process that reduces them, or every one but their owner.
  private func isPoison(_ work: Work, for index: Int) -> Bool {
    guard !work.isReplay, options.hasFaults, odds[.poison] > 0,
      case .client(let session, let sequence)? = origins[work.sequence]
    else { return false }
    var draw = SeededGenerator(seed: options.seed &+ session &* 31 &+ sequence &* 0x9E37_79B9)
    guard draw.happens(odds[.poison]) else { return false }
    let sparesOwner = draw.next() & 3 == 0
    guard case .feature(let path) = peers[index].kind else { return false }
    let owner = placement.filter { $0.contains(work.path) }.max {
      $0.components.count < $1.components.count
    }
    if sparesOwner, path == owner { return false }
    report.struck[.poison, default: 0] += 1
    return true
  }

  /// It goes on with what came meanwhile.
  func endHang(_ index: Int) {
    guard peers[index].isAlive, let backlog = peers[index].backlog else { return }
    peers[index].backlog = nil
    let life = peers[index].life
    for message in backlog {
      deliver(message, to: index)
      guard peers[index].isAlive, peers[index].life == life else { return }
    }
    pollPeer(index)
  }

  private func linkRestarted(_ index: Int) {
    peers[index].backlog = peers[index].backlog.map { _ in [] }
    trace("\(name(of: index)) begins a new link")
    switch peers[index].kind {
    // A feature starts over from what the router gives it.
    case .feature: send(hello(of: index), from: index)
    case .worker: workerLinkRestarted(index)
    case .client: clientLinkRestarted(index)
    }
  }

  func peerRefused(_ index: Int, _ refusal: Refusal) {
    guard refusal.code == .fenced else {
      return fail(
        .nobodyGivesUp,
        "\(name(of: index)) was refused: \(refusal.code.word) \(refusal.message)")
    }
    killPeer(index)
  }

  func killPeer(_ index: Int) {
    guard peers[index].isAlive else { return }
    trace("\(name(of: index)) dies")
    report.add(peers[index])
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
    if strikes(.reconnect) { reconnect(index) }
    for frame in peers[index].link!.poll(now: now) {
      let life = peers[index].life
      let connection = peers[index].connection
      travel(from: &peers[index].lastToRouter) {
        .toRouter(peer: index, life: life, connection: connection, frame: frame)
      }
    }
    if strikes(.stop) { peers[index].stoppedUntil = now + faultTime(1_000...3_500_000) }
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
