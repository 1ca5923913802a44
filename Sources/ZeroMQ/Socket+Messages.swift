import CZeroMQ

extension Socket {
  /// Sends one frame.
  package func send(_ bytes: [UInt8]) throws(TransportError) -> SendResult {
    try send(bytes, flags: 0)
  }

  private func send(_ bytes: [UInt8], flags: Int32) throws(TransportError) -> SendResult {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(TransportError) in try sendFrame(buffer, flags: flags) }
    }.get()
  }

  /// Sends one frame to a peer of a ROUTER.
  package func send(_ bytes: [UInt8], to peer: RoutingID) throws(TransportError) -> SendResult {
    let result = try send(peer.bytes, flags: ZMQ_SNDMORE)
    // Once the first frame is accepted libzmq takes or drops the second with it.
    return result == .sent ? try send(bytes) : result
  }

  private func sendFrame(
    _ bytes: UnsafeRawBufferPointer, flags: Int32
  ) throws(TransportError) -> SendResult {
    var hasRefreshed = false
    while zmq_send(handle, bytes.baseAddress, bytes.count, flags | ZMQ_DONTWAIT) < 0 {
      switch zmq_errno() {
      case EINTR: continue
      case EAGAIN where !hasRefreshed:
        hasRefreshed = true
        refresh()
      case EAGAIN: return .full
      case EHOSTUNREACH: return .unreachable
      default: throw TransportError.last("can't send")
      }
    }
    return .sent
  }

  /// Hands the next message's one frame to `body`, whose bytes end with the call; messages of several
  /// frames are dropped and counted.
  /// - Returns: false when there is none.
  package func receive<State>(
    malformed: inout Int, into state: inout State,
    _ body: (inout State, UnsafeRawBufferPointer) -> Void
  ) throws(TransportError) -> Bool {
    var frame = Frame()
    guard try frame.receive(from: self) else { return false }
    if hasMore {
      malformed += 1
      try frame.skipRest(of: self)
      return true
    }
    body(&state, frame.bytes)
    return true
  }

  /// Hands the next message of a ROUTER to `body`.
  /// - Returns: false when there is none.
  package func receive<State>(
    malformed: inout Int, into state: inout State,
    _ body: (inout State, RoutingID, UnsafeRawBufferPointer) -> Void
  ) throws(TransportError) -> Bool {
    var frame = Frame()
    guard try frame.receive(from: self) else { return false }
    let peer = RoutingID(frame.bytes)
    guard hasMore else {
      malformed += 1
      return true
    }
    guard try frame.receive(from: self), !hasMore, let peer else {
      malformed += 1
      if hasMore { try frame.skipRest(of: self) }
      return true
    }
    body(&state, peer, frame.bytes)
    return true
  }

  package func subscribe(_ topic: [UInt8]) throws(TransportError) {
    guard zmq_setsockopt(handle, ZMQ_SUBSCRIBE, topic, topic.count) == 0 else {
      throw TransportError.last("can't subscribe")
    }
  }
}
