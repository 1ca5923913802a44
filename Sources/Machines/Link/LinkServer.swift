package import PenstockCore
package import Wire

/// The router's links, by the routing ids that its ROUTER socket assigns.
///
/// A peer that connects anew gets another routing id and keeps its link, because it keeps its
/// incarnation. A new link of the same process replaces the old one at once. Frames of unknown links
/// are answered with a reset, those that break the protocol with a rejection.
package struct LinkServer {
  package enum Event: Hashable, Sendable {
    case message(PeerID, Message)
    /// A frame's messages, in order.
    case messages(PeerID, [Message])
    case lost(PeerID, Loss)
  }

  package enum Loss: Hashable, Sendable {
    /// Not heard for the liveness time.
    case silent
    /// Its process began a new link.
    case replaced
    /// It let too much pile up.
    case overrun
    /// It broke the protocol.
    case rejected(WireError)
  }

  package struct Outgoing: Hashable, Sendable {
    package var route: Bytes
    package var frame: Bytes
  }

  private struct Peer {
    var link: Link
    var route: Bytes
    /// Set when the link ends as soon as everything was acknowledged, and at this time at the latest.
    var closeDue: Int64?
    /// Whether it stands in `touched`.
    var isTouched = false

    /// In its place in the table: read from outside, the peer would be copied.
    mutating func enqueue(_ message: Message) throws(WireError) -> Enqueued {
      guard closeDue == nil else { return .isClosing }
      guard !link.isFull else { return .isFull }
      try link.enqueue(message)
      if isTouched { return .isTouched }
      isTouched = true
      return .isNew
    }
  }

  private enum Enqueued { case isClosing, isFull, isTouched, isNew }

  /// The lower bits of a peer's incarnation count the links of its process.
  package static let countMask: UInt64 = (1 << 24) - 1
  private static let endedLimit = 4_096

  private let incarnation: UInt64
  private let settings: LinkSettings
  private var peers: [PeerID: Peer] = [:]
  /// The place of the peer that was looked up last: what one is sent comes in runs. nil after each
  /// change of the table.
  private var last: (id: PeerID, place: Dictionary<PeerID, Peer>.Index)?
  private var byIncarnation: [UInt64: PeerID] = [:]
  private var byProcess: [UInt64: PeerID] = [:]
  private var ended: Set<UInt64> = []
  private var endedOrder = Deque<UInt64>()
  private var lastID: UInt32 = 0
  /// Peers to poll though none of their timers is due.
  private var touched: [PeerID] = []
  private var replies: [Outgoing] = []
  private var events: [Event] = []
  private var nextTimer: Int64 = 0
  private var lastNow: Int64
  package private(set) var counters = LinkCounters()

  /// - Parameter incarnation: Random for each process, not 0.
  package init(incarnation: UInt64, settings: LinkSettings = LinkSettings(), now: Int64) {
    self.incarnation = max(incarnation, 1)
    self.settings = settings
    lastNow = now
  }

  package var peerIDs: [PeerID] { peers.keys.sorted() }

  /// Messages that the peer did not acknowledge yet.
  package func backlog(of peer: PeerID) -> Int { peers[peer]?.link.backlog ?? 0 }

  /// Sends the message, unless the peer is gone already.
  /// - Throws: `tooLarge` for a message that exceeds a limit of the protocol.
  package mutating func enqueue(_ message: Message, to peer: PeerID) throws(WireError) {
    guard let place = place(of: peer) else { return }
    switch try peers.values[place].enqueue(message) {
    case .isClosing, .isTouched: return
    case .isFull: lose(peer, .overrun)
    case .isNew: touched.append(peer)
    }
  }

  private mutating func place(of peer: PeerID) -> Dictionary<PeerID, Peer>.Index? {
    if let last, last.id == peer { return last.place }
    guard let place = peers.index(forKey: peer) else { return nil }
    last = (peer, place)
    return place
  }

  private mutating func touch(_ place: Dictionary<PeerID, Peer>.Index, _ peer: PeerID) {
    if peers.values[place].isTouched { return }
    peers.values[place].isTouched = true
    touched.append(peer)
  }

  /// Ends the link when everything enqueued before was received; what arrives is dropped.
  package mutating func disconnect(_ peer: PeerID, now: Int64) {
    guard let place = place(of: peer), peers.values[place].closeDue == nil else { return }
    peers.values[place].closeDue = now + settings.livenessTimeout
    touch(place, peer)
  }

  /// Ends the link at once, without a word.
  package mutating func drop(_ peer: PeerID) { remove(peer) }
}

// MARK: Receiving

extension LinkServer {
  package mutating func receive(_ frame: Bytes, from route: Bytes, now: Int64) -> [Event] {
    frame.withUnsafeBytes { receive($0, from: route, now: now) }
  }

  /// One event a message.
  package mutating func receive(
    _ frame: UnsafeRawBufferPointer, from route: Bytes, now: Int64
  ) -> [Event] {
    receiveBatch(frame, from: route, now: now).flatMap { event -> [Event] in
      guard case .messages(let peer, let messages) = event else { return [event] }
      return messages.map { .message(peer, $0) }
    }
  }

  /// One event for all messages of the frame.
  package mutating func receiveBatch(
    _ frame: UnsafeRawBufferPointer, from route: Bytes, now: Int64
  ) -> [Event] {
    excusePause(now)
    let header: LinkHeader
    do throws(WireError) { header = try Codec.decodeHeader(frame) } catch {
      counters.count(error)
      return takeEvents()
    }
    if let peer = self.peer(for: header, route: route, now: now) {
      receive(header, frame, peer, route: route, now: now)
    }
    return takeEvents()
  }

  /// The link that the frame belongs to, made if it begins one; nil when the frame was dealt with.
  private mutating func peer(for header: LinkHeader, route: Bytes, now: Int64) -> PeerID? {
    guard header.flags.isDisjoint(with: [.reset, .reject]) else {
      counters.malformed += 1
      return nil
    }
    let isStart = header.flags.contains(.start) && header.receiver == 0
    guard isStart || header.receiver == incarnation, !ended.contains(header.sender) else {
      return reset(header, route)
    }
    if let known = byIncarnation[header.sender] { return known }
    guard isStart else { return reset(header, route) }
    let process = header.sender & ~Self.countMask
    if let older = byProcess[process], let link = peers[older]?.link {
      guard link.peer < header.sender else {
        counters.stale += 1
        return nil
      }
      lose(older, .replaced)
    }
    lastID += 1
    let id = PeerID(lastID)
    let link = Link(
      incarnation: incarnation, peer: header.sender, settings: settings, now: now)
    peers[id] = Peer(link: link, route: route)
    last = nil
    byIncarnation[header.sender] = id
    byProcess[process] = id
    return id
  }

  private mutating func reset(_ header: LinkHeader, _ route: Bytes) -> PeerID? {
    counters.stale += 1
    let header = LinkHeader(flags: .reset, sender: incarnation, receiver: header.sender)
    let reply = Outgoing(route: route, frame: Codec.join(header, []))
    // One answer per burst is enough.
    guard !replies.contains(reply), replies.count < Self.endedLimit else { return nil }
    counters.resets += 1
    replies.append(reply)
    return nil
  }

  private mutating func receive(
    _ header: LinkHeader, _ frame: UnsafeRawBufferPointer, _ id: PeerID, route: Bytes, now: Int64
  ) {
    guard let place = place(of: id) else { return }
    if peers.values[place].route != route {
      peers.values[place].route = route
      peers.values[place].link.transportReconnected()
    }
    touch(place, id)
    do throws(WireError) {
      let messages = try peers.values[place].link.receive(
        header, frame, now: now, counters: &counters)
      if !messages.isEmpty, peers.values[place].closeDue == nil {
        events.append(.messages(id, messages))
      }
    } catch {
      counters.count(error)
      reject(header.sender, error, route)
      lose(id, .rejected(error))
    }
  }

  private mutating func reject(_ sender: UInt64, _ error: WireError, _ route: Bytes) {
    let header = LinkHeader(flags: .reject, sender: incarnation, receiver: sender)
    let refusal = Message.refused(Refusal(code: error.code, message: error.message))
    // A refusal's sentence is cut to the limit, so this always can be encoded.
    guard let message = try? Codec.encode(refusal) else { return }
    replies.append(Outgoing(route: route, frame: Codec.join(header, [message])))
  }

  private mutating func excusePause(_ now: Int64) {
    let pause = now - lastNow
    lastNow = now
    guard pause > 2 * settings.heartbeatInterval else { return }
    for id in peers.keys { peers[id]?.link.excuse(pause: pause, now: now) }
  }

  private mutating func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }
}

// MARK: Sending

extension LinkServer {
  /// Frames to send now and peers that are gone. Call it after each burst and at `nextDeadline`.
  package mutating func poll(now: Int64) -> (frames: [Outgoing], events: [Event]) {
    excusePause(now)
    var frames: [Outgoing] = []
    swap(&frames, &replies)
    let isDue = now >= nextTimer
    // After polling only a few, the timers of the others are what they were.
    if isDue { nextTimer = .max }
    let due = isDue ? Array(peers.keys) : touched
    for id in touched {
      if let place = place(of: id) { peers.values[place].isTouched = false }
    }
    touched.removeAll(keepingCapacity: true)
    for id in due.sorted() { poll(id, now: now, into: &frames) }
    return (frames, takeEvents())
  }

  private mutating func poll(_ id: PeerID, now: Int64, into frames: inout [Outgoing]) {
    guard let place = place(of: id) else { return }
    if now - peers.values[place].link.lastHeard > settings.livenessTimeout {
      if peers.values[place].closeDue == nil { lose(id, .silent) } else { remove(id) }
      return
    }
    let route = peers.values[place].route
    if let due = peers.values[place].closeDue,
      due <= now || peers.values[place].link.backlog == 0
    {
      let last = peers.values[place].link.acknowledgement(now: now, counters: &counters)
      frames.append(Outgoing(route: route, frame: last))
      return remove(id)
    }
    for frame in peers.values[place].link.poll(now: now, counters: &counters) {
      frames.append(Outgoing(route: route, frame: frame))
    }
    nextTimer = min(
      nextTimer, peers.values[place].link.nextDeadline(now: now),
      peers.values[place].link.lastHeard + settings.livenessTimeout + 1,
      peers.values[place].closeDue ?? .max)
  }

  /// When `poll` has something to do if nothing arrives before. Valid after a poll.
  package var nextDeadline: Int64? { peers.isEmpty ? nil : nextTimer }
}

// MARK: Ends

extension LinkServer {
  private mutating func lose(_ id: PeerID, _ loss: Loss) {
    let isClosing = peers[id]?.closeDue != nil
    remove(id)
    if !isClosing { events.append(.lost(id, loss)) }
  }

  private mutating func remove(_ id: PeerID) {
    guard let peer = peers.removeValue(forKey: id) else { return }
    last = nil
    let incarnation = peer.link.peer
    byIncarnation[incarnation] = nil
    let process = incarnation & ~Self.countMask
    if byProcess[process] == id { byProcess[process] = nil }
    if ended.insert(incarnation).inserted { endedOrder.append(incarnation) }
    if endedOrder.count > Self.endedLimit { ended.remove(endedOrder.removeFirst()) }
  }
}
