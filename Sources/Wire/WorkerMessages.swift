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

/// How an attempt ended when it did not end with a final output.
package enum EffectResult: Hashable, Sendable {
  /// A stream ended.
  case finished
  case failed(code: String, message: String, isRetryable: Bool)
  case cancelled
  /// Not started, or given up by a draining worker: another one may have it.
  case handedBack
}
