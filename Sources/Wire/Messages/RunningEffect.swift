package import PenstockCore

package struct RunningEffect: Hashable, Sendable {
  package var effect: EffectID
  package var attempt: Attempt

  package init(effect: EffectID, attempt: Attempt) {
    self.effect = effect
    self.attempt = attempt
  }
}
