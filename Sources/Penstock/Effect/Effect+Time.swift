extension Effect {
  /// The same after a time: nothing of it is started before.
  public func delay(for duration: Duration) -> Self {
    steps.isEmpty
      ? self
      : Effect([
        .deferred(DeferredStep(interval: duration.boundedMicroseconds, effect: self))
      ])
  }

  /// The same after a time in which no other came under the id; what waits or runs under it ends.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Self {
    delay(for: duration).cancellable(id: id, cancelInFlight: true)
  }

  /// The same, at most once in an interval: at once after a quiet one, else at its end.
  ///
  /// When it ran last is part of the feature's state, so that it is the same in every process and
  /// after every restart: `return .send(.search).throttle(&state.throttle, id: …, for: .seconds(1))`.
  /// - Parameters:
  ///   - throttle: the field of the state that keeps when it ran last.
  ///   - id: what waits for the end of the interval can be cancelled by it.
  ///   - interval: the shortest time between two of them.
  ///   - latest: whether of those that come meanwhile the last one runs, or the first.
  public func throttle(
    _ throttle: inout Throttle, id: some Hashable & Sendable, for interval: Duration,
    latest: Bool = true
  ) -> Self {
    let now = TransitionInputs.required.now
    switch throttle.next(at: now, interval: interval.boundedMicroseconds, latest: latest) {
    case .now: return self
    case .later(let wait):
      return Effect([.deferred(DeferredStep(interval: wait, effect: self))])
        .cancellable(id: id, cancelInFlight: true)
    case .never: return .none
    }
  }

  /// Each after the one before it is over.
  ///
  /// How long an operation takes is not known when it is started: what stands behind it is sent by the
  /// feature when its output comes. So an operation, or a timer that repeats, can only stand last.
  /// - Precondition: nothing stands behind an operation or a repeating timer.
  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  public static func concatenate(_ effects: some Sequence<Self>) -> Self {
    var offset: Int64? = 0
    var steps: [Step] = []
    for effect in effects where !effect.steps.isEmpty {
      guard let start = offset else {
        preconditionFailure(
          """
          concatenate: an effect stands behind an operation or a repeating timer, whose end is not \
          known. Return it when the operation's output comes.
          """)
      }
      steps +=
        start == 0
        ? effect.steps : [.deferred(DeferredStep(interval: start, effect: effect))]
      offset = effect.duration.map { min(start + $0, Duration.longest) }
    }
    return Effect(steps)
  }

  /// Until all of it is over, in microseconds; nil when that is not known.
  private var duration: Int64? {
    var longest: Int64 = 0
    for step in steps {
      switch step {
      case .send, .cancel, .dismiss, .diagnostic: break
      case .operation: return nil
      case .timer(let timer):
        if timer.isRepeating { return nil }
        longest = max(longest, timer.interval)
      case .deferred(let deferred):
        guard let rest = deferred.effect.duration else { return nil }
        longest = max(longest, min(deferred.interval + rest, Duration.longest))
      }
    }
    return longest
  }
}
