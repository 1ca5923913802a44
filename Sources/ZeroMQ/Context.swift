import CSystem
import CZeroMQ

/// The process's one libzmq context. Contexts may be used from every thread, sockets may not.
package final class Context: Sendable {
  /// Below this many open files a process that binds refuses to start: at the limit libzmq's ipc
  /// listener would abort it.
  package static let fewestOpenFiles = 256

  nonisolated(unsafe) let handle: UnsafeMutableRawPointer

  package init() throws(TransportError) {
    guard let handle = zmq_ctx_new() else { throw TransportError.last("no ZeroMQ context") }
    self.handle = handle
    // Sockets made later linger for no time unless they say otherwise.
    zmq_ctx_set(handle, ZMQ_BLOCKY, 0)
  }

  /// Blocks until every socket is closed, by the threads that own them.
  deinit {
    while zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
  }

  /// Raises the limit on open files as far as the system lets it.
  /// - Throws: `TransportError` when it stays below what a router needs.
  package static func raiseOpenFiles() throws(TransportError) {
    let limit = penstock_raise_open_files(65_536)
    guard limit >= fewestOpenFiles else {
      throw TransportError(
        .tooFewFiles,
        """
        only \(limit) files may be open, and at least \(fewestOpenFiles) are needed, one per \
        connection; raise the limit with "ulimit -n"
        """)
    }
  }
}
