import CZeroMQ

/// A ZeroMQ socket: owned by the thread that made it, closed when its owner lets go of it.
///
/// Nothing blocks here. A send that finds the pipe full and a receive that finds nothing say so.
package struct Socket: ~Copyable {
  package enum Kind: Sendable {
    /// Binds; knows its peers by routing ids that libzmq made up.
    case router
    /// Connects to one router.
    case dealer
    /// Binds; loses what a subscriber can't take, rather than wait.
    case publisher
    case subscriber
  }

  package enum SendResult: Hashable, Sendable {
    case sent
    /// The pipe is full, or nobody is connected.
    case full
    /// The routing id names nobody (any more).
    case unreachable
  }

  /// The largest message that a binding socket takes: a frame of the protocol. A larger one ends its
  /// sender's connection, and a link would send it again for ever.
  package static let largestMessage: Int64 = 32 << 20

  let handle: UnsafeMutableRawPointer
  private let context: Context

  package init(_ kind: Kind, context: Context) throws(TransportError) {
    let type =
      switch kind {
      case .router: ZMQ_ROUTER
      case .dealer: ZMQ_DEALER
      case .publisher: ZMQ_XPUB
      case .subscriber: ZMQ_SUB
      }
    guard let handle = zmq_socket(context.handle, type) else {
      throw TransportError.last("no ZeroMQ socket")
    }
    do throws(TransportError) {
      for (option, value) in Socket.options(kind) {
        try Socket.set(option, value, on: handle)
      }
    } catch {
      zmq_close(handle)
      throw error
    }
    self.handle = handle
    self.context = context
  }

  deinit { zmq_close(handle) }

  /// Never set, on purpose: routing ids (a clash makes a peer that nobody hears) and ZMTP heartbeats
  /// (they abort the process when a receiver is full).
  private static func options(_ kind: Kind) -> [(Int32, Int32)] {
    let all = [
      (ZMQ_LINGER, Int32(0)), (ZMQ_IMMEDIATE, 0), (ZMQ_RECONNECT_IVL, 10),
      (ZMQ_RECONNECT_IVL_MAX, 2000),
    ]
    // Links have credits of their own; libzmq's marks would lose messages on ipc.
    let unbounded = [(ZMQ_SNDHWM, Int32(0)), (ZMQ_RCVHWM, 0)]
    return switch kind {
    case .router: all + unbounded + [(ZMQ_ROUTER_MANDATORY, 1)]
    case .dealer: all + unbounded
    case .publisher: all + [(ZMQ_SNDHWM, 10_000), (ZMQ_XPUB_VERBOSE, 1)]
    // At a mark of its sending side libzmq would drop subscriptions without a word.
    case .subscriber: all + [(ZMQ_SNDHWM, 0), (ZMQ_RCVHWM, 10_000)]
    }
  }

  private static func set(
    _ option: Int32, _ value: Int32, on handle: UnsafeMutableRawPointer
  ) throws(TransportError) {
    var value = value
    guard zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw TransportError.last("ZeroMQ option \(option) = \(value)")
    }
  }

  package func set(_ option: Int32, _ value: Int32) throws(TransportError) {
    try Socket.set(option, value, on: handle)
  }

  /// Whether the message's rest waits to be received.
  var hasMore: Bool {
    var more: Int32 = 0
    var size = MemoryLayout<Int32>.size
    zmq_getsockopt(handle, ZMQ_RCVMORE, &more, &size)
    return more != 0
  }

  /// Lets the socket look at what its peers did: a full pipe may have room, and nobody told it.
  func refresh() {
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size)
  }

  /// How long a closed socket goes on sending what is queued.
  package func linger(milliseconds: Int32) throws(TransportError) {
    try set(ZMQ_LINGER, milliseconds)
  }

  package func connect(_ endpoint: Endpoint) throws(TransportError) {
    if case .tcp = endpoint { try keepAlive() }
    guard zmq_connect(handle, endpoint.description) == 0 else {
      throw TransportError.last("can't connect to \(endpoint)")
    }
  }

  func keepAlive() throws(TransportError) {
    try set(ZMQ_TCP_KEEPALIVE, 1)
    try set(ZMQ_TCP_KEEPALIVE_IDLE, 30)
    try set(ZMQ_TCP_KEEPALIVE_INTVL, 10)
    try set(ZMQ_TCP_KEEPALIVE_CNT, 3)
    try set(ZMQ_TCP_MAXRT, 20_000)
  }
}
