package import PenstockCore
package import Wire

/// One record of the tap. Built only while somebody listens.
package enum TapRecord: Hashable, Sendable {
  /// A record was committed.
  case action(ActionTap)
  case effect(EffectTap)
  /// A process came, went or changed its state.
  case process(name: String, role: Role, processID: UInt32, state: String, now: Int64)

  package struct ActionTap: Hashable, Sendable {
    package var record: OrderRecord
    package var epoch: Epoch
    /// Wire name of the action's outermost case.
    package var type: String
    /// The client's, worker's or feature's name.
    package var source: String
    /// The sequence of the record that caused this one; nil for clients' actions.
    package var cause: UInt64?
    /// Changes from the root's state, when the tap asked for them.
    package var patch: Patch?
    package var isVoid: Bool
    package var isUnmounted: Bool
    /// Microseconds from numbering to commit.
    package var latency: Int64
    package var diagnostics: [String]

    package init(
      record: OrderRecord, epoch: Epoch, type: String, source: String, cause: UInt64?,
      patch: Patch?, isVoid: Bool, isUnmounted: Bool, latency: Int64, diagnostics: [String]
    ) {
      self.record = record
      self.epoch = epoch
      self.type = type
      self.source = source
      self.cause = cause
      self.patch = patch
      self.isVoid = isVoid
      self.isUnmounted = isUnmounted
      self.latency = latency
      self.diagnostics = diagnostics
    }
  }

  package struct EffectTap: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
      case queued, started, output, done, failed, retried, cancelled, stale
    }

    package var effect: EffectID
    package var operation: String
    package var state: State
    package var worker: String
    package var attempt: Attempt
    package var now: Int64
    package var message: String

    package init(
      effect: EffectID, operation: String, state: State, worker: String, attempt: Attempt,
      now: Int64, message: String = ""
    ) {
      self.effect = effect
      self.operation = operation
      self.state = state
      self.worker = worker
      self.attempt = attempt
      self.now = now
      self.message = message
    }
  }
}
