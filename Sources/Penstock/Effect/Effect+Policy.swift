extension Effect {
  /// Tries the operations again when they fail or their worker is lost.
  public func retry(
    maximumAttempts: Int, backoff: Duration = .milliseconds(500),
    maximumBackoff: Duration = .seconds(30)
  ) -> Self {
    changingPolicy {
      $0.maximumAttempts = UInt32(clamping: max(1, maximumAttempts))
      $0.initialBackoff = backoff.boundedMicroseconds
      $0.maximumBackoff = maximumBackoff.boundedMicroseconds
    }
  }

  /// How long one attempt may take.
  public func timeout(_ duration: Duration) -> Self {
    changingPolicy { $0.timeout = duration.boundedMicroseconds }
  }

  /// How long one attempt may go without a heartbeat.
  public func heartbeatTimeout(_ duration: Duration) -> Self {
    changingPolicy { $0.heartbeatTimeout = duration.boundedMicroseconds }
  }

  /// Which workers run the operations.
  public func on(queue: String) -> Self { changingPolicy { $0.queue = queue } }

  private func changingPolicy(_ change: (inout EffectPolicy) -> Void) -> Self {
    Effect(
      steps.map { step in
        switch step {
        case .operation(var operation):
          change(&operation.policy)
          return .operation(operation)
        case .deferred(var deferred):
          deferred.effect = deferred.effect.changingPolicy(change)
          return .deferred(deferred)
        default: return step
        }
      })
  }
}
