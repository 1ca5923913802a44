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
