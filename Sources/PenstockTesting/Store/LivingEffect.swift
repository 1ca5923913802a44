package import PenstockCore

/// An effect that is alive.
package struct LivingEffect: Hashable, Sendable {
  package var id: EffectID
  package var start: EffectStart
  package var correlation: UInt64

  package init(id: EffectID, start: EffectStart, correlation: UInt64) {
    self.id = id
    self.start = start
    self.correlation = correlation
  }
}
