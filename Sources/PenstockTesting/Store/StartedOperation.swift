package import PenstockCore

/// An operation that was started and whether the test has said so.
package struct StartedOperation: Hashable, Sendable {
  package var id: EffectID
  package var start: EffectStart
  package var correlation: UInt64
  package var isAsserted = false

  package init(id: EffectID, start: EffectStart, correlation: UInt64) {
    self.id = id
    self.start = start
    self.correlation = correlation
  }
}
