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
