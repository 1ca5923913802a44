package import PenstockCore
package import Wire

/// What a client's machine wants done or known.
package enum ClientOutput: Hashable, Sendable {
  case send(Message)
  /// The final word on a submitted action, once.
  case settled(ticket: UInt64, ClientOutcome)
  /// A followed state moved; nil when nothing is mounted at the path.
  case state(subscription: UInt32, asOf: UInt64, Bytes?)
  case reply(request: UInt32, status: UInt16, body: Bytes)
  case welcomed(Welcome)
  /// The router does not go on with this client.
  case refused(Refusal)
}
