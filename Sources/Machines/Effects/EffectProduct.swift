package import PenstockCore

/// What an effect brings into the order.
package enum EffectProduct: Hashable, Sendable {
  case output(EffectID, index: UInt32, isFinal: Bool, value: Bytes)
  /// The effect failed for good: retries are exhausted, or it can't be retried.
  case failed(EffectID, index: UInt32, code: String, message: String)
  case finished(EffectID)
}

/// Codes of failures that the router makes; a worker's own codes are passed on as they are.
package enum EffectFailure {
  package static let timeout = "timeout"
  package static let heartbeatTimeout = "heartbeat-timeout"
  package static let workerLost = "worker-lost"
  package static let queueFull = "queue-full"
}
