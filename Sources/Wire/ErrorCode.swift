/// Stable codes of what a peer is told when something is refused. Numbers are never reused.
package enum ErrorCode: UInt16, Hashable, Sendable, CaseIterable {
  case malformed = 1
  case unknownVersion = 2
  case tooLarge = 3
  case unknownVerb = 4
  case wrongRole = 5
  case schemaMismatch = 6
  case wrongApplication = 7
  /// A newer process registered for the same path, or the router started anew.
  case fenced = 8
  /// The records since the last checkpoint were reduced by another build.
  case buildMismatch = 9
  case unknownPath = 20
  case undecodable = 21
  /// A feature that the action needs is down (R2).
  case unavailable = 22
  /// An earlier action of this session was refused; send that one again first (R16).
  case afterRefusal = 23
  case overloaded = 24
  case runaway = 25
  case poison = 26
  /// The protocol has it, this router does not do it yet.
  case unsupported = 27
  /// Only the feature itself and its effects send the action.
  case internalAction = 28
  /// What it would act on was taken away, or is another one by now (R3).
  case unmounted = 29
  case unknownRequest = 40
  case notFound = 41
  case journalFailed = 60

  /// The word that stands in messages and in the tap.
  package var word: String {
    switch self {
    case .malformed: "malformed"
    case .unknownVersion: "unknown-version"
    case .tooLarge: "too-large"
    case .unknownVerb: "unknown-verb"
    case .wrongRole: "wrong-role"
    case .schemaMismatch: "schema-mismatch"
    case .wrongApplication: "wrong-application"
    case .fenced: "fenced"
    case .buildMismatch: "build-mismatch"
    case .unknownPath: "unknown-path"
    case .undecodable: "undecodable"
    case .unavailable: "unavailable"
    case .afterRefusal: "after-refusal"
    case .overloaded: "overloaded"
    case .runaway: "runaway"
    case .poison: "poison"
    case .unsupported: "unsupported"
    case .internalAction: "internal-action"
    case .unmounted: "unmounted"
    case .unknownRequest: "unknown-request"
    case .notFound: "not-found"
    case .journalFailed: "journal-failed"
    }
  }
}
