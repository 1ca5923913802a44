package import PenstockCore
package import Wire

/// What a worker's machine wants done.
package enum WorkerHostOutput: Hashable, Sendable {
  case send(Message)
  /// Run the operation; report with `produced`, `heartbeat` and `ended`.
  case run(Assignment)
  /// Cancel the running operation; its later reports are ignored.
  case cancel(EffectID, Attempt)
}
