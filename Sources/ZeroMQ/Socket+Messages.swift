import CZeroMQ

extension Socket {
  /// Sends one frame.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> SendResult {
    try sendFrame(bytes, flags: 0)
  }

  package func send(_ bytes: [UInt8]) throws(TransportError) -> SendResult {
    var result = SendResult.full
    var failure: TransportError?
    bytes.withUnsafeBytes {
      do throws(TransportError) { result = try send($0) } catch { failure = error }
    }
    if let failure { throw failure }
    return result
  }

  /// Sends one frame to a peer of a ROUTER.
  package func send(_ bytes: [UInt8], to peer: RoutingID) throws(TransportError) -> SendResult {
    var result = SendResult.full
    var failure: TransportError?
    peer.withBytes {
      do throws(TransportError) { result = try sendFrame($0, flags: ZMQ_SNDMORE) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
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
  /// frames are dropped and counted in `malformed`.
  /// - Returns: false when there is none.
  package func receive(
    malformed: inout Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TransportError) -> Bool {
    var frame = Frame()
    guard try frame.receive(from: self) else { return false }
    if hasMore {
      malformed += 1
      try frame.skipRest(of: self)
      return true
    }
    body(frame.bytes)
    return true
  }

  /// Hands the next message of a ROUTER to `body`.
  /// - Returns: false when there is none.
  package func receive(
    malformed: inout Int, _ body: (RoutingID, UnsafeRawBufferPointer) -> Void
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
    body(peer, frame.bytes)
    return true
  }

  package func subscribe(_ topic: [UInt8]) throws(TransportError) {
    guard zmq_setsockopt(handle, ZMQ_SUBSCRIBE, topic, topic.count) == 0 else {
      throw TransportError.last("can't subscribe")
    }
  }
}
