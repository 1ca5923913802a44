/// A command line that is not understood: what is wrong, and what to do.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package var remedy: String

  package init(_ message: String, _ remedy: String) {
    self.message = message
    self.remedy = remedy
  }

  package var description: String { "\(message)\n  \(remedy)" }
}
