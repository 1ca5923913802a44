import Machines
import PenstockCore
import Wire

/// The router's process.
struct SimulatedRouter {
  var machine: RouterMachine
  var links: LinkServer
  var wakeAt: Int64?
  var stoppedUntil: Int64?
}

extension Simulator {
  var clock: ClockReading { ClockReading(monotonic: now, wall: 1_700_000_000_000_000 + now) }

  func startRouter() {
    routerLife += 1
    if routerLife > 1 { report.restarts += 1 }
    var configuration = RouterConfiguration()
    configuration.placement = placement
    configuration.sequencer.window = options.window
    configuration.sequencer.faults = options.faults
    configuration.sequencer.seed = options.seed
    configuration.checkpointInterval = Int.random(in: 40...400, using: &generator)
    do {
      let machine = try RouterMachine(
        configuration: configuration, start: UInt32(routerLife), entries: disk.load())
      router = SimulatedRouter(
        machine: machine, links: LinkServer(incarnation: generator.next() | 1, now: now))
      routerHandles(.tick)
    } catch {
      fail("the router can't read its journal: \(error)")
    }
  }

  func routerReceived(_ frame: Bytes, from peer: Int) {
    guard router != nil else { return }
    if let until = router!.stoppedUntil, until > now {
      let event = Event.toRouter(
        peer: peer, life: peers[peer].life, connection: peers[peer].connection, frame: frame)
      queue.add(event, at: until)
      return
    }
    let events = router!.links.receive(frame, from: route(of: peer), now: now)
    handle(events)
    pollRouter()
  }

  private func handle(_ events: [LinkServer.Event]) {
    for event in events {
      guard router != nil else { return }
      switch event {
      case .message(let peer, let message): routerDoes(.message(peer, message))
      case .lost(let peer, _): routerDoes(.peerLost(peer))
      }
    }
  }

  func routerHandles(_ event: RouterEvent) {
    routerDoes(event)
    pollRouter()
  }

  private func routerDoes(_ event: RouterEvent) {
    guard router != nil else { return }
    if case .message(let peer, let message) = event {
      trace("router from \(peer.value): \(message.summary)")
    }
    for output in router!.machine.handle([event], at: clock) {
      if chance(odds.routerKill) { return killRouter() }
      switch output {
      case .send(let peer, let message):
        trace("router to \(peer.value): \(message.summary)")
        check(sent: message)
        do {
          try router!.links.enqueue(message, to: peer)
        } catch {
          fail("the router's message can't be encoded: \(error)")
        }
      case .disconnect(let peer): router!.links.disconnect(peer, now: now)
      case .append(let entries, let ticket):
        disk.append(entries, ticket: ticket)
        sync()
      case .tap, .stopPrepared: break
      case .stop(let reason): fail("the router stopped: \(reason)")
      }
    }
    if chance(odds.stop / 10) {
      router?.stoppedUntil = now + Int64.random(in: 1_000...3_000_000, using: &generator)
    }
  }

  private func sync() {
    guard disk.beginSync() else { return }
    let duration =
      generator.happens(20_000)
      ? Int64.random(in: 5_000...80_000, using: &generator)
      : Int64.random(in: 50...2_000, using: &generator)
    queue.add(.synced(life: routerLife), at: now + duration)
  }

  func synced() {
    guard let ticket = disk.finishSync() else { return }
    routerHandles(.journaled(ticket: ticket))
    if router != nil { sync() }
  }

  func killRouter() {
    trace("the router dies")
    guard let machine = router?.machine else { return }
    report.add(machine)
    router = nil
    routerLife += 1
    disk.lose(keeping: Int.random(in: 0...disk.unsynced, using: &generator))
    queue.add(.startRouter, at: now + Int64.random(in: 5_000...200_000, using: &generator))
  }

  /// Sends what the links have, and asks to be woken.
  private func pollRouter() {
    guard router != nil else { return }
    for _ in 0..<8 {
      let (frames, events) = router!.links.poll(now: now)
      for frame in frames { transmit(frame) }
      if events.isEmpty { break }
      handle(events)
      guard router != nil else { return }
    }
    let deadlines = [router!.links.nextDeadline, router!.machine.nextDeadline].compactMap { $0 }
    guard let deadline = deadlines.min().map({ max($0, now + 1) }) else { return }
    if router!.wakeAt.map({ deadline < $0 }) ?? true {
      router!.wakeAt = deadline
      queue.add(.wakeRouter(life: routerLife), at: deadline)
    }
  }

  func route(of peer: Int) -> Bytes {
    [UInt8(peer), UInt8(truncatingIfNeeded: peers[peer].life)]
      + withUnsafeBytes(of: UInt32(peers[peer].connection)) { Array($0) }
  }

  private func transmit(_ outgoing: LinkServer.Outgoing) {
    let peer = Int(outgoing.route[0])
    guard route(of: peer) == outgoing.route, peers[peer].isAlive else { return }
    travel(from: &peers[peer].lastToPeer) {
      [life = peers[peer].life, connection = peers[peer].connection] in
      .toPeer(peer: peer, life: life, connection: connection, frame: outgoing.frame)
    }
  }

  /// Puts a frame on the way: in order on its connection, or lost, or twice.
  func travel(from last: inout Int64, _ event: () -> Event) {
    if chance(odds.loss) { return }
    let delay =
      chance(odds.slowFrame)
      ? Int64.random(in: 2_000...40_000, using: &generator)
      : Int64.random(in: 20...400, using: &generator)
    last = max(last, now + delay)
    queue.add(event(), at: last)
    if chance(odds.duplication) {
      queue.add(event(), at: last + Int64.random(in: 0...5_000, using: &generator))
    }
  }
}
