import CZeroMQ

/// Waits for sockets and file descriptors. At most four sockets: `zmq_poll` looks at each one, one
/// after the other.
package struct Poller {
  private var items: [zmq_pollitem_t] = []
  private var socketCount = 0

  package init() {}

  /// The socket must live as long as the poller.
  /// - Returns: the index for `isReady`.
  package mutating func add(_ socket: borrowing Socket) -> Int {
    socketCount += 1
    precondition(socketCount <= 4, "a poller takes at most four sockets")
    items.append(
      zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
    return items.count - 1
  }

  package mutating func add(fileDescriptor: Int32) -> Int {
    items.append(
      zmq_pollitem_t(socket: nil, fd: fileDescriptor, events: Int16(ZMQ_POLLIN), revents: 0))
    return items.count - 1
  }

  /// Returns when something is ready, or after the time. nil waits for ever.
  package mutating func wait(milliseconds: Int?) throws(TransportError) {
    while zmq_poll(&items, Int32(items.count), milliseconds ?? -1) < 0 {
      guard zmq_errno() == EINTR else { throw TransportError.last("can't poll") }
    }
  }

  /// Readable, or at its end.
  package func isReady(_ index: Int) -> Bool { items[index].revents != 0 }
}
