package import PenstockCore

/// An effect handed to a worker.
package struct Assignment: Hashable, Sendable {
  package var effect: EffectID
  package var attempt: Attempt
  package var operation: String
  package var input: Bytes
  package var policy: EffectPolicy
  /// The index of the next output: those before it are in the order already.
  package var nextIndex: UInt32
  /// The cursor of the last attempt's last heartbeat.
  package var cursor: Bytes

  package init(
    effect: EffectID, attempt: Attempt, operation: String, input: Bytes, policy: EffectPolicy,
    nextIndex: UInt32, cursor: Bytes
  ) {
    self.effect = effect
    self.attempt = attempt
    self.operation = operation
    self.input = input
    self.policy = policy
    self.nextIndex = nextIndex
    self.cursor = cursor
  }
}
