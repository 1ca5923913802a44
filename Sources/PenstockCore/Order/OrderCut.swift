/// The system as of one record of the order, from which a replay can go on.
package struct OrderCut: Hashable, Sendable {
  package struct Effect: Hashable, Sendable {
    package var start: EffectStart
    package var startedAt: Int64
    package var correlation: UInt64
    package var nextIndex: UInt32
    package var lastDue: Int64?

    package init(
      start: EffectStart, startedAt: Int64, correlation: UInt64, nextIndex: UInt32, lastDue: Int64?
    ) {
      self.start = start
      self.startedAt = startedAt
      self.correlation = correlation
      self.nextIndex = nextIndex
      self.lastDue = lastDue
    }
  }

  package var sequence: UInt64
  /// The encoded state of the root.
  package var state: Bytes
  package var living: [EffectID: Effect]
  package var mounts: [Path: Generation]

  package init(
    sequence: UInt64, state: Bytes, living: [EffectID: Effect], mounts: [Path: Generation]
  ) {
    self.sequence = sequence
    self.state = state
    self.living = living
    self.mounts = mounts
  }
}
