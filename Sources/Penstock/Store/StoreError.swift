/// Why a connected store can't do what it was asked. A store in one process refuses
/// internal actions, and fails otherwise never.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Words that do not change; the codes of refusals are those of the wire (7/ERRORS).
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // Connecting
    case invalidAddress = "invalid-address"
    case notPermitted = "not-permitted"
    case notRunning = "not-running"
    /// A router lives, but did not answer in time.
    case silent
    /// A router answers, but the application's features have not registered.
    case notReady = "not-ready"
    case wrongApplication = "wrong-application"
    /// The system runs another build of the application.
    case schemaMismatch = "schema-mismatch"

    // The action was not applied and never will be
    case tooLarge = "too-large"
    case unknownPath = "unknown-path"
    case undecodable
    /// Only the feature itself and its effects send the action.
    case internalAction = "internal-action"
    /// A feature that the action needs is down.
    case unavailable
    case overloaded
    /// The action ended its feature three times.
    case poison
    case runaway
    case skipped

    /// The connection ended before the action's outcome was known.
    case unknown
    /// The router does not go on with this client, for another reason than those above.
    case refused
    /// The store is gone.
    case closed
  }

  public let code: Code
  /// What happened, and what to do about it.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(message) [\(code.rawValue)]" }
}
