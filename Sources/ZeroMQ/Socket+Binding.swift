import CSystem
import CZeroMQ
import Glibc

extension Socket {
  /// Binds, and returns the endpoint with the port that was really taken.
  ///
  /// For `ipc` the caller must hold the `FileLock` that guards the path: libzmq takes a path over from
  /// whoever has it. A socket file that nobody serves any more is removed.
  /// - Throws: `TransportError` with code `taken` when a living process serves the endpoint.
  @discardableResult
  package func bind(_ endpoint: Endpoint) throws(TransportError) -> Endpoint {
    var largest = Socket.largestMessage
    guard zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &largest, MemoryLayout<Int64>.size) == 0 else {
      throw TransportError.last("ZeroMQ option MAXMSGSIZE")
    }
    try set(ZMQ_HANDSHAKE_IVL, 3000)
    try set(ZMQ_BACKLOG, 1024)
    switch endpoint {
    case .ipc(let path):
      try removeStale(path)
      // Who may connect: this user, and root.
      try admit(user: getuid())
      if getuid() != 0 { try admit(user: 0) }
    case .tcp:
      try keepAlive()
    }
    guard zmq_bind(handle, endpoint.description) == 0 else {
      if zmq_errno() == EADDRINUSE {
        throw TransportError(.taken, "\(endpoint) is taken by another process")
      }
      throw TransportError.last("can't bind \(endpoint)")
    }
    return try boundEndpoint(endpoint)
  }

  private func removeStale(_ path: String) throws(TransportError) {
    switch penstock_socket_is_served(path) {
    case 1:
      throw TransportError(.taken, "another process serves \(path)")
    case 0:
      guard unlink(path) == 0 || errno == ENOENT else {
        throw TransportError.system("can't remove the stale socket \(path)")
      }
    default:
      throw TransportError.system("can't use \(path) as a socket")
    }
  }

  private func admit(user: UInt32) throws(TransportError) {
    var user = user
    guard zmq_setsockopt(handle, ZMQ_IPC_FILTER_UID, &user, MemoryLayout<UInt32>.size) == 0 else {
      throw TransportError.last("ZeroMQ option IPC_FILTER_UID")
    }
  }

  private func boundEndpoint(_ endpoint: Endpoint) throws(TransportError) -> Endpoint {
    guard case .tcp(let host, 0) = endpoint else { return endpoint }
    var buffer = [CChar](repeating: 0, count: 256)
    var size = buffer.count
    guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &buffer, &size) == 0 else {
      throw TransportError.last("the bound port is unknown")
    }
    let text = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let port = text.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    return .tcp(host: host, port: port)
  }
}
