/// Why a record was voided by something that replay cannot derive (R6).
public enum VoidReason: UInt8, Hashable, Sendable, CaseIterable {
  case poison = 1
  case undecodable = 2
  case unavailable = 3
  case runaway = 4
  case skipped = 5
  /// What came of it exceeds a limit: too many sends, too large a value or state.
  case tooLarge = 6
}
