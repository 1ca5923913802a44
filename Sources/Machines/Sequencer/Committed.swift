package import PenstockCore

/// A record that is retired and durable. It is handed on several times, so it is an object.
package final class Committed: Sendable {
  package let record: OrderRecord
  package let isVoid: Bool
  package let isUnmounted: Bool
  package let numberedAt: Int64
  package let consequences: Consequences

  init(_ item: InFlight, _ consequences: Consequences) {
    record = item.record
    isVoid = item.isVoid
    isUnmounted = item.isUnmounted
    numberedAt = item.numberedAt
    self.consequences = consequences
  }

  /// What a record did besides changing states, and how it changed these.
  package struct Consequences: Sendable {
    package var started: [(id: EffectID, start: EffectStart)] = []
    package var cancelled: [EffectID] = []
    /// Changes from the root's state, where the answers held them.
    package var patch = Patch()
    package var diagnostics: [String] = []
    /// The effect that the record ended, if that failed for good.
    package var failed: FailedEffect?
  }

  package var started: [(id: EffectID, start: EffectStart)] { consequences.started }
  package var cancelled: [EffectID] { consequences.cancelled }
  package var patch: Patch { consequences.patch }
  package var diagnostics: [String] { consequences.diagnostics }
  package var failed: FailedEffect? { consequences.failed }
}
