package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Another router has it.
    case taken
    /// An entry is not what was written.
    case damaged
    /// Written by a newer version, or for another application.
    case incompatible
    case unavailable
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
