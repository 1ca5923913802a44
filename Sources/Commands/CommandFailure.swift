import Platform

/// Why a command ends without having done what it was asked.
package struct CommandFailure: Error, Hashable, Sendable {
  package enum Status: Int32, Hashable, Sendable {
    /// A negative answer: no match, void.
    case negative = 1
    case usage = 2
    case notRunning = 3
    case noSuchName = 4
    case timedOut = 5
    case refused = 6
    case mismatch = 7
    case bug = 70
  }

  package var status: Status
  /// Never changes once published, so that it can be searched for.
  package var code: String
  /// One sentence, without the final stop.
  package var message: String
  /// Why, and what to do; the last line is the action.
  package var details: [String]

  package init(_ status: Status, _ code: String, _ message: String, _ details: String...) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
  }

  /// `penstock ps: no router answers [PS-C03]` and the details below it.
  package func text(command: String?) -> String {
    let name = command.map { "penstock \($0)" } ?? "penstock"
    return (["\(name): \(message.printable) [\(code)]"] + details.map { "  \($0.printableLines)" })
      .joined(separator: "\n") + "\n"
  }
}
