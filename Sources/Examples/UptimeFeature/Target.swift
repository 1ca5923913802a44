public import Penstock

/// One watched target: probes itself at its interval, and tells when its status changes.
@Reducer
public struct Target {
  public struct State: Identifiable {
    public var id: String
    public var url: String
    public var settings: ProbeSettings
    public var health = Health.suspect(failures: 0)
    public var isProbing = false
    public var probes = 0
    public var failures = 0
    /// Microseconds of the last answer.
    public var latency: Int64? = nil
    public var reason = ""
  }

  public enum Action {
    /// Begins to probe, or goes on with new settings.
    case start
    case probe
    case probed(Outcome<ProbeResult>)
    case changed(TargetChange)
  }

  enum CancelID {
    case schedule
    case probe
  }

  @Dependency(\.microseconds) var now

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        return .merge(
          .every(.milliseconds(state.settings.interval), .probe)
            .cancellable(id: CancelID.schedule, cancelInFlight: true),
          .send(.probe))

      case .probe:
        // A target slower than its interval is probed less often, not by several probes at once.
        if state.isProbing { return .none }
        state.isProbing = true
        return .run(
          Probe(
            url: state.url, timeout: state.settings.timeout,
            expectedStatus: state.settings.expectedStatus,
            expectedText: state.settings.expectedText),
          to: \.probed
        )
        .timeout(.milliseconds(min(state.settings.timeout, 86_400_000) + 5000))
        .retry(maximumAttempts: 3, backoff: .milliseconds(100))
        .cancellable(id: CancelID.probe)

      case .probed(.success(let result)):
        state.latency = result.latency
        return finish(&state, isUp: result.isUp, reason: result.reason)

      case .probed(.failure(let failure)):
        return finish(&state, isUp: false, reason: failure.message)

      case .changed:
        return .none
      }
    }
  }

  private func finish(_ state: inout State, isUp: Bool, reason: String) -> Effect<Action> {
    state.isProbing = false
    state.probes += 1
    state.failures += isUp ? 0 : 1
    state.reason = reason
    let before = state.health.status
    state.health = state.health.after(
      isUp: isUp, now: now, failuresUntilDown: state.settings.failuresUntilDown)
    let after = state.health.status
    guard before != after else { return .none }
    return .send(.changed(TargetChange(id: state.id, from: before, to: after, reason: reason)))
  }
}

/// A target came (`from` is nil), went (`to` is nil), or has another status.
@JSONCodable
public struct TargetChange {
  public var id: String
  public var from: Status?
  public var to: Status?
  public var reason: String
}
