/// An effect's identity: the i-th start at `path` in the transition of action `sequence`.
public struct EffectID: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var sequence: UInt64
  public var path: Path
  public var index: UInt32

  public init(sequence: UInt64, path: Path, index: UInt32) {
    self.sequence = sequence
    self.path = path
    self.index = index
  }

  /// `48213/targets#0`: also the idempotency key of the operation.
  public var description: String { "\(sequence)\(path)#\(index)" }

  public static func < (left: EffectID, right: EffectID) -> Bool {
    (left.sequence, left.path, left.index) < (right.sequence, right.path, right.index)
  }
}

/// Where a record of the order comes from (R1).
public enum Origin: Hashable, Sendable {
  /// Record 0: the root's initial state.
  case initial
  case client(session: UInt64, sequence: UInt64)
  /// The index-th send of the transition at `cause`.
  case send(cause: UInt64, index: UInt32)
  /// The index-th output of an effect; `isFinal` ends the effect in the same record.
  case output(effect: EffectID, index: UInt32, isFinal: Bool)
  /// An effect ended without a further output.
  case end(effect: EffectID)
  /// A timer was due; `due` is order time in microseconds since 1970.
  case timer(effect: EffectID, due: Int64)
}

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

/// One record of the order (R1). The order is everything that replay needs.
public struct OrderRecord: Hashable, Sendable {
  /// N. Record 0 is the initial state.
  public var sequence: UInt64
  /// The canonical address of the action.
  public var path: Path
  /// The action, encoded (for record 0 the state; for an end nothing).
  public var payload: Bytes
  /// Order time in microseconds since 1970.
  public var now: Int64
  /// The seed of the draws that this record's stages make (R13).
  public var seed: UInt64
  public var origin: Origin
  /// The client's action from which all of this followed.
  public var correlation: UInt64
  public var mark: VoidReason?

  public init(
    sequence: UInt64, path: Path, payload: Bytes, now: Int64, seed: UInt64, origin: Origin,
    correlation: UInt64, mark: VoidReason? = nil
  ) {
    self.sequence = sequence
    self.path = path
    self.payload = payload
    self.now = now
    self.seed = seed
    self.origin = origin
    self.correlation = correlation
    self.mark = mark
  }
}

/// The incarnation of a dynamic mount: the record that mounted it and a number within that record.
public struct Generation: Hashable, Sendable {
  public var sequence: UInt64
  public var ordinal: UInt32

  public init(sequence: UInt64, ordinal: UInt32) {
    self.sequence = sequence
    self.ordinal = ordinal
  }
}
