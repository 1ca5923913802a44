package import PenstockCore
package import Wire

/// One side of a link: an ordered stream without loss or duplicates over a transport that loses,
/// repeats and reorders (libzmq does at reconnects, on close and at its high-water marks).
///
/// Every message has a link sequence, counted from 1 for each pair of incarnations. The receiver
/// acknowledges cumulatively and says up to which sequence the other side may send (credit); the
/// sender keeps what is not acknowledged and sends it again after a time-out, at a reported gap, or
/// when the transport connected anew. Any frame is a sign of life; without other traffic an empty
/// one goes out at each heartbeat, which also repeats acknowledgement and credit.
///
/// `LinkClient` and `LinkServer` decide which frames belong to a link and when a link is gone.
package struct Link {
  package let incarnation: UInt64
  /// The other side's incarnation; 0 until its first frame.
  package var peer: UInt64
  package private(set) var lastHeard: Int64

  private let settings: LinkSettings

  // What is sent; `next` is the link sequence of the first message never sent.
  private var outbox = Outbox()
  private var next: UInt64 = 1
  private var base: UInt64 { outbox.base }
  private var credit = Limits.initialCredit

  // Sending again: from here up to `next`, as many frames as allowed.
  private var resendFrom: UInt64?
  private var resendAllowance = 0
  private var resendInterval: Int64
  private var resendDue: Int64?
  private var gapAnswered: (base: UInt64, now: Int64)?

  // What is received.
  private var received: UInt64 = 0
  private var ahead: [UInt64: Message] = [:]
  private var acknowledged: UInt64 = 0
  private var granted = Limits.initialCredit
  private var acknowledgeDue: Int64?
  private var lastSent: Int64

  package init(incarnation: UInt64, peer: UInt64 = 0, settings: LinkSettings, now: Int64) {
    precondition(settings.window >= Limits.initialCredit, "The window is below the first credit.")
    self.incarnation = incarnation
    self.peer = peer
    self.settings = settings
    resendInterval = settings.resendInterval
    lastHeard = now
    // The first frame is due at once.
    lastSent = now - settings.heartbeatInterval
  }

  /// Messages that are not acknowledged.
  package var backlog: Int { outbox.count }
  package var isFull: Bool {
    outbox.count >= settings.outboxMessages || outbox.bytes >= settings.outboxBytes
  }

  /// - Throws: when the message exceeds a limit of the protocol; nothing is enqueued then.
  package mutating func enqueue(_ message: Message) throws(WireError) {
    try outbox.append(message)
  }

  /// The transport connected anew: what was on its way may be lost.
  package mutating func transportReconnected() {
    guard base < next else { return }
    resendFrom = base
    resendAllowance = .max
  }

  /// This process itself stood still; the peer is not to blame for it.
  package mutating func excuse(pause: Int64, now: Int64) {
    lastHeard = min(now, lastHeard + pause)
  }
}

// MARK: Receiving

extension Link {
  /// Takes a frame of this link.
  /// - Returns: The messages that are next in order.
  /// - Throws: When the peer breaks the protocol; the link can't go on then.
  package mutating func receive(
    _ header: LinkHeader, _ frame: UnsafeRawBufferPointer, now: Int64,
    counters: inout LinkCounters
  ) throws(WireError) -> [Message] {
    lastHeard = now
    try takeAcknowledgement(header, now: now)
    credit = max(credit, header.credit)
    guard header.count > 0 else { return [] }
    guard header.first > 0 else { throw .malformed("link: sequence 0 holds no message.") }
    let last = header.first + UInt64(header.count) - 1
    guard last <= granted else {
      throw .malformed("link: sequence \(last) is beyond the credit of \(granted).")
    }
    if last <= received {
      counters.duplicates += Int(header.count)
      acknowledgeDue = now
      return []
    }
    let messages = try Codec.decodeMessages(frame, header)
    let inOrder = accept(messages, from: header.first, counters: &counters)
    let isMuch = received - acknowledged >= settings.window / 4
    acknowledgeDue = isMuch ? now : min(acknowledgeDue ?? .max, now + settings.acknowledgeDelay)
    return inOrder
  }

  private mutating func takeAcknowledgement(_ header: LinkHeader, now: Int64) throws(WireError) {
    guard header.acknowledged < next else {
      throw .malformed("link: \(header.acknowledged) is acknowledged and was never sent.")
    }
    if header.acknowledged >= base {
      outbox.removeAll(below: header.acknowledged + 1)
      resendInterval = settings.resendInterval
      resendDue = base < next ? now + resendInterval : nil
      if let from = resendFrom {
        // Each acknowledgement of what was sent again allows more of it.
        resendAllowance = max(resendAllowance, 2)
        resendFrom = base < next ? max(from, base) : nil
      }
    }
    if header.flags.contains(.gap), base < next, resendFrom == nil {
      let isNew = gapAnswered.map {
        $0.base != base || now - $0.now >= settings.resendInterval
      }
      guard isNew ?? true else { return }
      gapAnswered = (base, now)
      resendFrom = base
      resendAllowance = 1
    }
  }

  private mutating func accept(
    _ messages: [Message], from first: UInt64, counters: inout LinkCounters
  ) -> [Message] {
    if first == received + 1 || (settings.ignoresGaps && first > received), ahead.isEmpty {
      received = first - 1 + UInt64(messages.count)
      return messages
    }
    var inOrder: [Message] = []
    for (offset, message) in messages.enumerated() {
      let sequence = first + UInt64(offset)
      if sequence <= received || ahead[sequence] != nil {
        counters.duplicates += 1
      } else if sequence == received + 1 {
        received = sequence
        inOrder.append(message)
      } else {
        counters.outOfOrder += 1
        ahead[sequence] = message
      }
      while let next = ahead.removeValue(forKey: received + 1) {
        received += 1
        inOrder.append(next)
      }
    }
    return inOrder
  }
}

// MARK: Sending

extension Link {
  /// Frames to send now.
  package mutating func poll(now: Int64, counters: inout LinkCounters) -> [Bytes] {
    var frames: [Bytes] = []
    if let due = resendDue, due <= now {
      resendFrom = base
      resendAllowance = 1
      resendInterval = min(resendInterval * 2, settings.maximumResendInterval)
      resendDue = now + resendInterval
    }
    while let from = resendFrom, resendAllowance > 0 {
      resendAllowance -= 1
      let end = batch(from: from, below: next)
      counters.resends += Int(end - from)
      frames.append(frame(from: from, below: end, now: now, counters: &counters))
      resendFrom = end < next ? end : nil
    }
    while let end = newBatch() {
      frames.append(frame(from: next, below: end, now: now, counters: &counters))
      next = end
    }
    if base < next, resendDue == nil { resendDue = now + resendInterval }
    if frames.isEmpty, isAcknowledgeDue(now) || now - lastSent >= heartbeatInterval(now) {
      frames.append(acknowledgement(now: now, counters: &counters))
    }
    return frames
  }

  /// A frame without messages.
  package mutating func acknowledgement(now: Int64, counters: inout LinkCounters) -> Bytes {
    frame(from: next, below: next, now: now, counters: &counters)
  }

  /// When `poll` has something to do if nothing arrives before. Valid after a poll.
  package func nextDeadline(now: Int64) -> Int64 {
    min(resendDue ?? .max, acknowledgeDue ?? .max, lastSent + heartbeatInterval(now))
  }

  private func isAcknowledgeDue(_ now: Int64) -> Bool { acknowledgeDue.map { $0 <= now } ?? false }

  /// Towards a peer that is silent, heartbeats become rarer: they may pile up in a transport that is
  /// not connected.
  private func heartbeatInterval(_ now: Int64) -> Int64 {
    now - lastHeard > settings.livenessTimeout
      ? max(settings.heartbeatInterval, settings.maximumResendInterval)
      : settings.heartbeatInterval
  }

  private func newBatch() -> UInt64? {
    let end = min(outbox.next, credit == .max ? credit : credit + 1)
    guard next < end, outbox.size(from: base, below: next) < settings.bytesInFlight else {
      return nil
    }
    return batch(from: next, below: end)
  }

  /// The end of a batch that begins at `start` and has at least one message.
  private func batch(from start: UInt64, below end: UInt64) -> UInt64 {
    outbox.batch(
      from: start, below: end, messages: settings.batchMessages, bytes: settings.batchBytes)
  }

  private mutating func frame(
    from first: UInt64, below end: UInt64, now: Int64, counters: inout LinkCounters
  ) -> Bytes {
    granted = max(granted, received + settings.window)
    var header = LinkHeader(
      sender: incarnation, receiver: peer, first: first, acknowledged: received, credit: granted)
    if peer == 0 { header.flags.insert(.start) }
    if !ahead.isEmpty { header.flags.insert(.gap) }
    acknowledged = received
    acknowledgeDue = nil
    lastSent = now
    counters.framesSent += 1
    counters.messagesSent += Int(end - first)
    return outbox.frame(header, from: first, below: end)
  }
}
