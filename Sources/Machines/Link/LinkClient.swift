package import PenstockCore
package import Wire

/// A peer's link to the router.
///
/// The router may not know the link any more: it started anew, or took this process for dead while
/// it stood still. It says so with a reset (a DEALER can't see its own reconnects). Then the link
/// begins again under a new incarnation, what waited in it is dropped, and the owner is told with
/// `restarted`: it says hello and enqueues again what still matters.
package struct LinkClient {
  package enum Event: Hashable, Sendable {
    case message(Message)
    /// A new link: say hello on it.
    case restarted
    /// The router does not go on with this peer; nothing more is sent.
    case refused(Refusal)
  }

  private let settings: LinkSettings
  private var link: Link
  package private(set) var counters = LinkCounters()
  package private(set) var isStopped = false

  /// - Parameter seed: Random for each process; the upper 40 bits name the process on the wire, the
  ///   lower ones count its links.
  package init(seed: UInt64, settings: LinkSettings = LinkSettings(), now: Int64) {
    self.settings = settings
    let first = max(seed & ~LinkServer.countMask, LinkServer.countMask + 1)
    link = Link(incarnation: first, settings: settings, now: now)
  }

  /// - Throws: `tooLarge` for a message that exceeds a limit of the protocol, `overloaded` when too
  ///   much waits. Nothing was enqueued then.
  package mutating func enqueue(_ message: Message) throws(WireError) {
    guard !link.isFull else {
      throw WireError(code: .overloaded, message: "\(link.backlog) messages wait for the router.")
    }
    try link.enqueue(message)
  }

  package mutating func receive(_ frame: Bytes, now: Int64) -> [Event] {
    frame.withUnsafeBytes { receive($0, now: now) }
  }

  package mutating func receive(_ frame: UnsafeRawBufferPointer, now: Int64) -> [Event] {
    guard !isStopped else { return [] }
    do throws(WireError) {
      let header = try Codec.decodeHeader(frame)
      guard header.receiver == link.incarnation else {
        counters.stale += 1
        return []
      }
      if header.flags.contains(.reject) { return try rejected(header, frame) }
      if link.peer == 0, !header.flags.contains(.reset) { link.peer = header.sender }
      guard !header.flags.contains(.reset), link.peer == header.sender else {
        return restart(now)
      }
      return try link.receive(header, frame, now: now, counters: &counters).map(Event.message)
    } catch {
      counters.count(error)
      // Garbage that names this link can only come from a router of another kind; what does not
      // name it is none of its business.
      guard (try? Codec.decodeHeader(frame)) != nil else { return [] }
      isStopped = true
      return [.refused(Refusal(code: error.code, message: error.message))]
    }
  }

  /// Takes one more frame of a burst whose events are handled together.
  ///
  /// When the link begins anew, what the old one brought counts no more: an answer to it would go out on
  /// the new link before HELLO, and the router would refuse this peer. A refusal stays: it is final.
  package mutating func receive(
    _ frame: UnsafeRawBufferPointer, into events: inout [Event], now: Int64
  ) {
    let new = receive(frame, now: now)
    if new.contains(.restarted) {
      events.removeAll { event in
        if case .message(let message) = event, case .refused = message { return false }
        return true
      }
    }
    events += new
  }

  private mutating func rejected(_ header: LinkHeader, _ frame: UnsafeRawBufferPointer)
    throws(WireError) -> [Event]
  {
    guard case .refused(let refusal)? = try Codec.decodeMessages(frame, header).first else {
      throw .malformed("link: a rejection without its reason.")
    }
    isStopped = true
    return [.refused(refusal)]
  }

  private mutating func restart(_ now: Int64) -> [Event] {
    counters.resets += 1
    let count = (link.incarnation & LinkServer.countMask) + 1
    let incarnation =
      (link.incarnation & ~LinkServer.countMask) | (count & LinkServer.countMask)
    link = Link(incarnation: incarnation, settings: settings, now: now)
    return [.restarted]
  }

  /// Frames to send now. Call it after each burst of events and at `nextDeadline`.
  package mutating func poll(now: Int64) -> [Bytes] {
    return isStopped ? [] : link.poll(now: now, counters: &counters)
  }

  package func nextDeadline(now: Int64) -> Int64? {
    isStopped ? nil : link.nextDeadline(now: now)
  }

  /// The transport says that it connected anew.
  package mutating func transportReconnected() { link.transportReconnected() }

  /// True when the router was not heard for the liveness time. The link stays: the router answers
  /// with a reset if it forgot it.
  package func isSilent(now: Int64) -> Bool { now - link.lastHeard > settings.livenessTimeout }

  package var isConnected: Bool { link.peer != 0 }
  /// Messages that the router did not acknowledge yet.
  package var backlog: Int { link.backlog }
}
