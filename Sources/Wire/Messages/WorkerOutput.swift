package import PenstockCore

package struct WorkerOutput: Hashable, Sendable {
  package var effect: EffectID
  package var attempt: Attempt
  package var index: UInt32
  package var isFinal: Bool
  /// The output's encoding, not yet wrapped into the owner's case.
  package var value: Bytes

  package init(
    effect: EffectID, attempt: Attempt, index: UInt32, isFinal: Bool, value: Bytes
  ) {
    self.effect = effect
    self.attempt = attempt
    self.index = index
    self.isFinal = isFinal
    self.value = value
  }
}
