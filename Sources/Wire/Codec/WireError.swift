/// Why bytes are not a frame, or a message can't become one.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: ErrorCode
  /// A sentence that names the offending value.
  package var message: String

  package init(code: ErrorCode, message: String) {
    self.code = code
    self.message = message
  }

  package static func malformed(_ message: String) -> WireError {
    WireError(code: .malformed, message: message)
  }

  package static func tooLarge(_ what: StaticString, _ size: Int, limit: Int) -> WireError {
    WireError(code: .tooLarge, message: "\(what): \(size) exceeds the limit of \(limit).")
  }

  package var description: String { "\(code.word): \(message)" }
}
