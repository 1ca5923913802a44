import Glibc

/// A call to the system that failed, in a sentence for a person: what, and why.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Another process holds it.
    case taken
    case failed
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The failure of the system call that was just made.
  package static func last(_ what: String) -> SystemError {
    SystemError(.failed, "\(what): \(String(cString: strerror(errno)))")
  }

  package var description: String { message }
}
