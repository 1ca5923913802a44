import CZeroMQ
import Glibc

/// What went wrong at a socket, in a sentence for a person: what, and why.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case invalidEndpoint
    /// Another process serves this endpoint.
    case taken
    case notPermitted
    case tooFewFiles
    case system
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The failure of the libzmq call that was just made.
  static func last(_ what: String) -> TransportError {
    TransportError(.system, "\(what): \(String(cString: zmq_strerror(zmq_errno())))")
  }

  /// The failure of the system call that was just made.
  package static func system(_ what: String) -> TransportError {
    TransportError(.system, "\(what): \(String(cString: strerror(errno)))")
  }

  package var description: String { message }
}
