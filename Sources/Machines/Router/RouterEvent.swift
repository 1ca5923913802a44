package import Wire

/// What happens to the router.
package enum RouterEvent: Sendable {
  /// A message from a peer, already in order and without duplicates (the link's work). The first of
  /// each peer is `hello`.
  case message(PeerID, Message)
  /// Several of one peer.
  case messages(PeerID, [Message])
  /// The link is gone for good: its process ended, or its incarnation was replaced.
  case peerLost(PeerID)
  /// Everything appended up to this ticket is durable.
  case journaled(ticket: UInt64)
  case journalFailed(String)
  /// Whether somebody listens to the tap, and wants the states' changes: without a listener nothing
  /// is built for it.
  case tapChanged(isListening: Bool, wantsPatches: Bool)
  /// The router is to end: `stopPrepared` follows.
  case stopRequested
  /// Nothing but time passed.
  case tick
}

/// What the router wants done, in this order.
package enum RouterOutput: Sendable {
  case send(PeerID, Message)
  /// Send what is queued, then end the link.
  case disconnect(PeerID)
  /// Make the entries durable, then report `journaled(ticket)`. Tickets count up.
  case append([JournalEntry], ticket: UInt64)
  case tap(TapRecord)
  /// Everything is settled and a checkpoint stands at the head, or why not: the router may end.
  case stopPrepared(String?)
  /// The journal failed or a newer router fenced this one: stop, with the reason.
  case stop(String)
}
