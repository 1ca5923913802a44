import CZeroMQ

/// One received frame. Its bytes must not outlive the loop's turn: a kept `zmq_msg_t` pins a whole
/// receive buffer.
struct Frame: ~Copyable {
  private var message = zmq_msg_t()

  init() { zmq_msg_init(&message) }

  deinit {
    // `zmq_msg_close` wants to write; what is left of the value is only this copy.
    var message = message
    zmq_msg_close(&message)
  }

  /// Replaces the frame by the next one.
  /// - Returns: false when none waits.
  mutating func receive(from socket: borrowing Socket) throws(TransportError) -> Bool {
    while zmq_msg_recv(&message, socket.handle, ZMQ_DONTWAIT) < 0 {
      switch zmq_errno() {
      case EINTR: continue
      case EAGAIN: return false
      default: throw TransportError.last("can't receive")
      }
    }
    return true
  }

  mutating func skipRest(of socket: borrowing Socket) throws(TransportError) {
    while socket.hasMore { guard try receive(from: socket) else { return } }
  }

  var bytes: UnsafeRawBufferPointer {
    mutating get {
      UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))
    }
  }
}
