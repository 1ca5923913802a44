package import PenstockCore
package import Wire

/// What comes of work that a worker does, for its thread.
package enum WorkReport: Sendable {
  /// The operation waits until the output is accepted, unless it is the last.
  case produced(EffectID, Attempt, Bytes, isFinal: Bool, CheckedContinuation<Void, Never>?)
  case heartbeat(EffectID, Attempt, cursor: Bytes)
  case ended(EffectID, Attempt, EffectResult)
}
