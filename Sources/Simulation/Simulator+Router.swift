import Machines
import PenstockCore
import Wire

/// The router's process.
struct SimulatedRouter {
  var machine: RouterMachine
  var links: LinkServer
  var wakeAt: Int64?
  var stoppedUntil: Int64?
  /// Of a checkpoint that was made while something waited.
  var checkpointTicket: UInt64?
}

extension Simulator {
  var wall: Int64 { 1_700_000_000_000_000 + now + wallStep }
  var clock: ClockReading { ClockReading(monotonic: now, wall: wall) }

  func startRouter() {
    routerLife += 1
    if routerLife > 1 { report.restarts += 1 }
    let start = UInt32(routerLife)
    trace("the router starts, number \(start)")
    checkpointInterval = Int.random(in: odds.isQuiet ? 5...60 : 40...400, using: &generator)
    disk.open(start: start)
    if !disk.noticesDamage(using: &generator) {
      fail(.damageIsNoticed, "a bit of an entry flipped, and the chain of hashes is the same")
    }
    do {
      let machine = try RouterMachine(
        configuration: configuration, start: start, entries: disk.load())
      router = SimulatedRouter(
        machine: machine,
        links: LinkServer(
          incarnation: generator.next() | 1, settings: linkSettings, now: now))
      watch = RouterWatch()
      if isTapped {
        let change = RouterEvent.tapChanged(isListening: true, wantsPatches: true)
        _ = router!.machine.handle([change], at: clock)
      }
      routerHandles(.tick)
    } catch {
      fail(.nobodyGivesUp, "the router can't read its journal: \(error)")
    }
  }

  var linkSettings: LinkSettings {
    var settings = LinkSettings()
    settings.ignoresGaps = options.faults.ignoresGaps
    // A tap makes messages longer: where it must change nothing, frames don't end by their bytes.
    if let bytes = odds.batchBytes, !options.comparesTaps { settings.batchBytes = bytes }
    return settings
  }

  private var configuration: RouterConfiguration {
    var configuration = RouterConfiguration()
    configuration.placement = placement
    configuration.sequencer.window = options.window
    configuration.sequencer.faults = options.faults
    configuration.sequencer.seed = options.seed
    configuration.checkpointInterval = checkpointInterval
    guard options.hasFaults else { return configuration }
    if let limit = odds.waitingLimit { configuration.sequencer.waitingLimit = limit }
    if let limit = odds.sendsLimit { configuration.sequencer.sendsPerTransition = limit }
    if let limit = odds.heldLimit { configuration.heldPerSession = limit }
    if let limit = odds.inFlightLimit { configuration.inFlightLimit = limit }
    return configuration
  }

  func routerReceived(_ frame: Bytes, from peer: Int) {
    guard router != nil else { return }
    if let until = router!.stoppedUntil, until > now {
      let event = Event.toRouter(
        peer: peer, life: peers[peer].life, connection: peers[peer].connection, frame: frame)
      queue.add(event, at: until)
      return
    }
    let route = route(of: peer)
    let events = frame.withUnsafeBytes { router!.links.receiveBatch($0, from: route, now: now) }
    handle(events)
    pollRouter()
  }

  private func handle(_ events: [LinkServer.Event]) {
    for event in events {
      guard router != nil else { return }
      switch event {
      case .message(let peer, let message): routerDoes(.message(peer, message))
      case .messages(let peer, let messages): routerDoes(.messages(peer, messages))
      case .lost(let peer, let loss):
        trace("the router loses \(routerName(peer)): \(loss)")
        routerDoes(.peerLost(peer))
      }
    }
  }

  func routerHandles(_ event: RouterEvent) {
    routerDoes(event)
    pollRouter()
  }

  private func routerName(_ peer: PeerID) -> String { watch.names[peer] ?? "peer \(peer.value)" }

  private func routerDoes(_ event: RouterEvent) {
    guard router != nil else { return }
    if strikes(.clockStep, divided: 100) { wallStep += faultTime(-2_000_000...2_000_000) }
    switch event {
    case .message(let peer, let message): routerGets(message, from: peer)
    case .messages(let peer, let messages):
      for message in messages { routerGets(message, from: peer) }
    case .peerLost(let peer): routerLost(peer)
    case .journaled, .journalFailed, .tapChanged, .stopRequested, .tick: break
    }
    for output in router!.machine.handle([event], at: clock) {
      if case .tap(let record) = output {
        saw(record)
        continue
      }
      if strikes(.routerKill) { return killRouter() }
      routerDoes(output)
    }
    if let found = watch.checkSuperseded() { fail(found.invariant, found.sentence) }
    checkQueues()
    checkGivenInOrder()
    if strikes(.routerStop) { router?.stoppedUntil = now + faultTime(1_000...3_000_000) }
  }

  private func routerGets(_ message: Message, from peer: PeerID) {
    watch.received(peer, message, now: now)
    trace("\(routerName(peer)) -> router: \(message.summary)")
  }

  private func routerDoes(_ output: RouterOutput) {
    switch output {
    case .send(let peer, let message):
      // Refusals are answers to what clients send again, and no work for a record.
      if !message.isRefusal { report.messages += 1 }
      trace("router -> \(routerName(peer)): \(message.summary)")
      check(sent: message, durableThrough: disk.durableThrough)
      if case .assign(let assignment) = message, assignment.nextIndex > 0,
        diskIsSlowUntil > now || strikes(.retryKill)
      {
        queue.add(.killRouter(life: routerLife), at: now + faultTime(500...30_000))
      }
      if let found = watch.sent(peer, message, now: now) { fail(found.invariant, found.sentence) }
      do {
        try router!.links.enqueue(message, to: peer)
      } catch {
        fail(.nobodyGivesUp, "the router's message can't be encoded: \(error)")
      }
    case .disconnect(let peer):
      routerLost(peer)
      router!.links.disconnect(peer, now: now)
    case .append(let entries, let ticket):
      saw(appended: entries)
      if !disk.append(entries, ticket: ticket, start: UInt32(routerLife)) {
        fail(.fenced, "the newest router is fenced")
      }
      if router!.machine.sequencer?.hasWaiting == true,
        entries.contains(where: {
          if case .checkpoint = $0 { true } else { false }
        })
      {
        router!.checkpointTicket = ticket
      }
      sync()
    case .tap, .stopPrepared: break
    case .stop(let reason): fail(.nobodyGivesUp, "the router stopped: \(reason)")
    }
  }

  private func routerLost(_ peer: PeerID) {
    guard let sequence = watch.gone(peer), let origin = origins[sequence] else { return }
    evidence.loneDeaths[origin, default: 0] += 1
  }

  private func sync() {
    guard disk.beginSync() else { return }
    let duration =
      generator.happens(odds.slowSync)
      ? Int64.random(in: 5_000...odds.slowestSync, using: &generator)
      : Int64.random(in: 50...2_000, using: &generator)
    queue.add(.synced(life: routerLife), at: max(now + duration, diskIsSlowUntil))
  }

  func synced() {
    guard let ticket = disk.finishSync() else { return }
    let isDue = router?.checkpointTicket.map { $0 <= ticket } ?? false
    if isDue { router?.checkpointTicket = nil }
    routerHandles(.journaled(ticket: ticket))
    if isDue, router != nil, strikes(.checkpointKill) { return killRouter() }
    if router != nil { sync() }
  }

  func killRouter() {
    trace("the router dies")
    guard let machine = router?.machine else { return }
    report.add(machine)
    router = nil
    routerLife += 1
    disk.lose(keeping: Int.random(in: 0...disk.unsynced, using: &generator))
    let pause = Int64.random(in: 5_000...200_000, using: &generator)
    queue.add(.startRouter, at: now + pause)
    if survivor == nil, strikes(.survivor) {
      survivor = machine
      queue.add(.survivorActs, at: now + pause + faultTime(1_000...500_000))
    }
  }

  /// The killed router was only taken for dead. It goes on until its journal refuses it; what it does
  /// meanwhile it may do without a sync only.
  func survivorActs() {
    guard var machine = survivor else { return }
    survivor = nil
    let durable = machine.sequencer?.committedThrough ?? 0
    var outputs = machine.handle([.tick], at: clock)
    for case .append(let entries, let ticket) in outputs {
      if disk.append(entries, ticket: ticket, start: machine.start) {
        fail(.fenced, "router \(machine.start) appended after router \(routerLife) had begun")
      }
    }
    outputs += machine.handle([.journalFailed("a newer router has the journal")], at: clock)
    for case .send(_, let message) in outputs { check(sent: message, durableThrough: durable) }
    if !outputs.contains(where: { if case .stop = $0 { true } else { false } }) {
      fail(.fenced, "router \(machine.start) goes on though its journal refused it")
    }
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
    if strikes(.loss) { return }
    let isSlow = strikes(.slowFrame)
    let delay = isSlow ? faultTime(2_000...40_000) : Int64.random(in: 20...400, using: &generator)
    last = max(last, now + delay)
    queue.add(event(), at: last)
    if strikes(.duplication) { queue.add(event(), at: last + faultTime(0...5_000)) }
  }
}

extension Message {
  fileprivate var isRefusal: Bool {
    if case .outcome(let outcome) = self, case .refused = outcome.status { true } else { false }
  }
}
