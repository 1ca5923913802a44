import Machines
import PenstockCore
import Platform
import Wire

/// The router without sockets: links, machine and tap put together. Frames and reports in; frames,
/// journal entries and decisions out.
struct RouterCore {
  private var machine: RouterMachine
  private var links: LinkServer
  private var tap = TapPublisher()
  private var watch: FeatureWatch
  private let log: Log
  private var isListening = false
  private var wantsPatches = false
  /// What came in since the last poll.
  private var events: [RouterEvent] = []

  /// What the sockets dropped because it was no single frame.
  var malformed = 0
  /// What came to the tap's socket and is no subscription.
  private var strayTapFrames = 0

  /// What the tap's subscribers get.
  private(set) var published: [Bytes] = []
  private var entries: [JournalEntry] = []
  private var ticket: UInt64 = 0
  /// The router was asked to end, and can now.
  private(set) var isStopPrepared = false
  /// Why the router can't go on.
  private(set) var stop: String?
  /// The journal's word for it, if it is the journal.
  private(set) var stopCode: String?

  init(machine: RouterMachine, links: LinkServer, watch: FeatureWatch, log: Log) {
    self.machine = machine
    self.links = links
    self.watch = watch
    self.log = log
  }

  mutating func receive(_ frame: UnsafeRawBufferPointer, from route: Bytes, at clock: ClockReading)
  {
    take(links.receiveBatch(frame, from: route, now: clock.monotonic), at: clock)
  }

  mutating func receiveSubscription(_ frame: Bytes) {
    if !tap.receive(frame) { strayTapFrames += 1 }
    guard tap.isListening != isListening || tap.wantsPatches != wantsPatches else { return }
    isListening = tap.isListening
    wantsPatches = tap.wantsPatches
    events.append(.tapChanged(isListening: isListening, wantsPatches: wantsPatches))
  }

  mutating func requestStop() { events.append(.stopRequested) }

  mutating func receive(_ report: JournalReport) {
    switch report {
    case .durable(let ticket): events.append(.journaled(ticket: ticket))
    case .failed(let error):
      stopCode = error.code.word
      events.append(.journalFailed(error.message))
    }
  }

  /// Handles what came in, lets time pass, and gives the frames that are to be sent now.
  mutating func poll(at clock: ClockReading) -> [LinkServer.Outgoing] {
    if let due = machine.nextDeadline, due <= clock.monotonic { events.append(.tick) }
    var frames: [LinkServer.Outgoing] = []
    repeat {
      let batch = events
      events.removeAll(keepingCapacity: true)
      if !batch.isEmpty {
        machine.linkCounters = links.counters
        machine.linkCounters.malformed += malformed + strayTapFrames
        for output in machine.handle(batch, at: clock) { perform(output, at: clock) }
      }
      let polled = links.poll(now: clock.monotonic)
      frames += polled.frames
      take(polled.events, at: clock)
    } while !events.isEmpty
    watch.endStuck(now: clock.monotonic)
    return frames
  }

  var nextDeadline: Int64? {
    [machine.nextDeadline, links.nextDeadline, watch.nextDeadline].compactMap { $0 }.min()
  }

  /// Entries to be journaled together; what they need is in their ticket.
  mutating func takeEntries() -> ([JournalEntry], ticket: UInt64)? {
    guard !entries.isEmpty else { return nil }
    defer { entries = [] }
    return (entries, ticket)
  }

  mutating func takePublished() -> [Bytes] {
    defer { published = [] }
    return published
  }

  private mutating func take(_ linkEvents: [LinkServer.Event], at clock: ClockReading) {
    for event in linkEvents {
      switch event {
      case .message(let peer, let message):
        if case .hello(let hello) = message { watch.saw(hello, from: peer) }
        events.append(.message(peer, message))
      case .messages(let peer, let messages):
        for case .hello(let hello) in messages { watch.saw(hello, from: peer) }
        events.append(.messages(peer, messages))
      case .lost(let peer, let loss):
        watch.lost(peer, isSilent: loss == .silent, now: clock.monotonic)
        events.append(.peerLost(peer))
      }
    }
  }

  private mutating func perform(_ output: RouterOutput, at clock: ClockReading) {
    switch output {
    case .send(let peer, let message):
      do {
        try links.enqueue(message, to: peer)
      } catch {
        refuse(message, for: peer, error, at: clock)
      }
    case .disconnect(let peer): disconnect(peer, at: clock)
    case .append(let batch, let ticket):
      entries += batch
      self.ticket = ticket
    case .tap(let record):
      if let frame = tap.frame(of: record) { published.append(frame) }
    case .stop(let reason): stop = reason
    case .stopPrepared(let obstacle):
      if let obstacle {
        log.warning("no checkpoint at the head", ["reason": obstacle])
      }
      isStopPrepared = true
    }
  }

  private mutating func disconnect(_ peer: PeerID, at clock: ClockReading) {
    watch.disconnected(peer, now: clock.monotonic)
    links.disconnect(peer, now: clock.monotonic)
  }

  /// The message exceeds a limit of the protocol: a question gets a coded answer; a peer that can't
  /// be told its state can't go on. Nobody else is concerned.
  private mutating func refuse(
    _ message: Message, for peer: PeerID, _ error: WireError, at clock: ClockReading
  ) {
    if let replacement = RouterMachine.replacement(for: message, error) {
      try? links.enqueue(replacement, to: peer)
      return
    }
    log.error(error.message, ["code": error.code.word])
    try? links.enqueue(.refused(Refusal(code: error.code, message: error.message)), to: peer)
    disconnect(peer, at: clock)
    events.append(.peerLost(peer))
  }
}
