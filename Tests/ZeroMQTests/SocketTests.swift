import CZeroMQ
import Glibc
import ProcessSupport
import Testing
import ZeroMQ

@Suite struct SocketTests {
  let directory = TemporaryDirectory()

  /// Receives the next message at a ROUTER within the deadline.
  private func next(
    _ router: borrowing Socket, _ malformed: inout Int
  ) throws -> (RoutingID, [UInt8])? {
    var received: (RoutingID, [UInt8])?
    var poller = Poller()
    let index = poller.add(router)
    try poller.wait(milliseconds: 5000)
    guard poller.isReady(index) else { return nil }
    _ = try router.receive(malformed: &malformed, into: &received) { $0 = ($1, Array($2)) }
    return received
  }

  @Test func `a router answers the peer that wrote`() throws {
    let context = try Context()
    let endpoint = try Endpoint(path: directory.file("router.sock"))
    let router = try Socket(.router, context: context)
    try router.bind(endpoint)
    let dealer = try Socket(.dealer, context: context)
    try dealer.connect(endpoint)
    #expect(try dealer.send([1, 2, 3]) == .sent)
    var malformed = 0
    let (peer, bytes) = try #require(try next(router, &malformed))
    #expect(bytes == [1, 2, 3])
    #expect(try router.send([4], to: peer) == .sent)
    var poller = Poller()
    _ = poller.add(dealer)
    try poller.wait(milliseconds: 5000)
    var answer: [UInt8] = []
    #expect(try dealer.receive(malformed: &malformed, into: &answer) { $0 = Array($1) })
    #expect(answer == [4])
    #expect(try !dealer.receive(malformed: &malformed, into: &answer) { _, _ in })
    #expect(malformed == 0)
  }

  @Test func `a routing id that names nobody is unreachable`() throws {
    let context = try Context()
    let router = try Socket(.router, context: context)
    try router.bind(try Endpoint(path: directory.file("router.sock")))
    #expect(try router.send([1], to: try #require(RoutingID([0, 0, 0, 0, 99]))) == .unreachable)
  }

  @Test func `messages of several frames are counted and dropped (F-3)`() throws {
    let context = try Context()
    let endpoint = try Endpoint(path: directory.file("router.sock"))
    let router = try Socket(.router, context: context)
    try router.bind(endpoint)
    let raw = zmq_ctx_new()
    let peer = zmq_socket(raw, ZMQ_DEALER)
    zmq_connect(peer, endpoint.description)
    zmq_send(peer, "a", 1, ZMQ_SNDMORE)
    zmq_send(peer, "b", 1, 0)
    zmq_send(peer, "c", 1, 0)
    var malformed = 0
    #expect(try next(router, &malformed) == nil)
    #expect(malformed == 1)
    #expect(try next(router, &malformed)?.1 == Array("c".utf8))
    zmq_close(peer)
    zmq_ctx_term(raw)
  }

  @Test func `a peer that named itself is not listened to (F-1)`() throws {
    let context = try Context()
    let endpoint = try Endpoint(path: directory.file("router.sock"))
    let router = try Socket(.router, context: context)
    try router.bind(endpoint)
    let raw = zmq_ctx_new()
    let peer = zmq_socket(raw, ZMQ_DEALER)
    zmq_setsockopt(peer, ZMQ_ROUTING_ID, "me", 2)
    zmq_connect(peer, endpoint.description)
    zmq_send(peer, "a", 1, 0)
    var malformed = 0
    #expect(try next(router, &malformed) == nil)
    #expect(malformed == 1)
    zmq_close(peer)
    zmq_ctx_term(raw)
  }

  @Test func `a served path is refused and a stale one is taken over`() throws {
    let context = try Context()
    let path = directory.file("router.sock")
    // What a killed process leaves: a socket file that nobody serves.
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    close(stale)

    let first = try Socket(.router, context: context)
    try first.bind(try Endpoint(path: path))
    let second = try Socket(.router, context: context)
    #expect {
      try second.bind(try Endpoint(path: path))
    } throws: {
      ($0 as? TransportError)?.code == .taken
    }
  }

  @Test func `a free port is bound and named`() throws {
    let context = try Context()
    let router = try Socket(.router, context: context)
    guard case .tcp(_, let port) = try router.bind(try Endpoint("tcp://127.0.0.1:0")) else {
      Issue.record("not a tcp endpoint")
      return
    }
    #expect(port != 0)
  }
}
