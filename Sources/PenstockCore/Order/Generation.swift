/// The incarnation of a dynamic mount: the record that mounted it and a number within that record.
public struct Generation: Hashable, Sendable {
  public var sequence: UInt64
  public var ordinal: UInt32

  public init(sequence: UInt64, ordinal: UInt32) {
    self.sequence = sequence
    self.ordinal = ordinal
  }
}
