package import Machines
import PenstockCore
package import Wire
package import ZeroMQ

/// A DEALER that is connected to the router, and its link: what features, workers and clients have.
package struct PeerSocket: ~Copyable {
  /// Frames that are taken before what they caused is sent.
  private static let burst = 256

  package let socket: Socket
  private var link: LinkClient
  private var malformed = 0

  package init(context: Context, endpoint: Endpoint, seed: UInt64, now: Int64)
    throws(TransportError)
  {
    let socket = try Socket(.dealer, context: context)
    try socket.connect(endpoint)
    self.socket = socket
    link = LinkClient(seed: seed, settings: .processes, now: now)
  }

  /// - Throws: when too much waits, or the message exceeds a limit of the protocol.
  package mutating func enqueue(_ message: Message) throws(WireError) { try link.enqueue(message) }

  /// What came in, in order.
  package mutating func receive(now: Int64) throws(TransportError) -> [LinkClient.Event] {
    var events: [LinkClient.Event] = []
    for _ in 0..<Self.burst {
      let isMessage = try socket.receive(malformed: &malformed, into: &link) { link, frame in
        link.receive(frame, into: &events, now: now)
      }
      guard isMessage else { break }
    }
    return events
  }

  /// Sends what is due.
  package mutating func flush(now: Int64) throws(TransportError) {
    for frame in link.poll(now: now) { _ = try socket.send(frame) }
  }

  package func nextDeadline(now: Int64) -> Int64? { link.nextDeadline(now: now) }

  /// Messages that the router did not acknowledge yet.
  package var backlog: Int { link.backlog }
  package func isSilent(now: Int64) -> Bool { link.isSilent(now: now) }
}

extension LinkSettings {
  /// Between processes: a busy machine may let one wait for a second.
  static var processes: LinkSettings {
    var settings = LinkSettings()
    settings.livenessTimeout = 2_000_000
    return settings
  }
}
