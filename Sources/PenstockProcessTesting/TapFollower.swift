import PenstockCore
import Platform
import ZeroMQ

/// Takes every record of a router's tap, in a thread of its own, and tells it.
final class TapFollower: Sendable {
  private let stops = Inbox<Void>()
  private let thread: OwnedThread

  /// - Parameter take: gets each record's JSON, and a sentence when there is an end; called on the
  ///   thread.
  init(
    _ endpoint: Endpoint, take: @escaping @Sendable (Bytes) -> Void,
    failed: @escaping @Sendable (String) -> Void
  ) {
    thread = OwnedThread(name: "tap") { [stops] in
      do throws(TransportError) {
        try TapFollower.follow(endpoint, stops, take)
      } catch {
        failed("the tap can't be read: \(error.message)")
      }
    }
  }

  func stop() {
    stops.put(())
    thread.join()
  }

  private static func follow(
    _ endpoint: Endpoint, _ stops: Inbox<Void>, _ take: (Bytes) -> Void
  ) throws(TransportError) {
    let socket = try Socket(.subscriber, context: try Context())
    // Changes first: who sees a record of a process knows that all of these are subscribed to.
    for topic in "+aegp".utf8 { try socket.subscribe([topic]) }
    try socket.connect(endpoint)
    var poller = Poller()
    _ = poller.add(socket)
    let stopIndex = poller.add(fileDescriptor: stops.fileDescriptor)
    var malformed = 0
    while true {
      try poller.wait(milliseconds: nil)
      if poller.isReady(stopIndex) { return }
      var frame: Bytes = []
      while try socket.receive(malformed: &malformed, into: &frame, { $0 = Bytes($1) }) {
        if let end = frame.firstIndex(of: UInt8(ascii: "\n")) { take(Bytes(frame[(end + 1)...])) }
      }
    }
  }
}
