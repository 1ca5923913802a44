import Machines
import PenstockCore
import Wire

/// Follows one start of the router by its messages alone, to know what it may do.
struct RouterWatch {
  private struct Given {
    var sequence: UInt64
    var epoch: Epoch
  }

  private struct Feature {
    /// Work without an answer.
    var owed: [Given] = []
    var highest: UInt64 = 0
  }

  struct Try {
    var attempt: Attempt
    var failures = 0
    /// When the last failure was reported; it pauses after that.
    var failedAt: Int64 = 0
    var policy: EffectPolicy
    /// Whether this start began with the first attempt, so that all of them are known.
    var isWhole: Bool
    /// Attempts that the router ended.
    var withdrawn = 0
    var cursor: Bytes?
    var isOver = false
    /// A failure that can't be retried.
    var isFinal = false
  }

  private(set) var names: [PeerID: String] = [:]
  /// The last appended record: its order time, and the monotonic clock then.
  var lastAppended: (time: Int64, now: Int64)?
  private var features: [PeerID: Feature] = [:]
  private(set) var tries: [EffectID: Try] = [:]
  /// Effects with an attempt of an earlier start that may go on.
  private var inherited: Set<EffectID> = []
  /// An attempt that sent something after a later one was assigned, until it is refused.
  private var superseded: (effect: EffectID, attempt: Attempt)?
  /// The highest sequence of the tap.
  var lastTapped: UInt64?

  mutating func received(_ peer: PeerID, _ message: Message, now: Int64) {
    switch message {
    case .hello(let hello):
      names[peer] = hello.name
      for running in hello.running where tries[running.effect] == nil {
        inherited.insert(running.effect)
      }
    case .answer(let answer):
      if let place = features[peer]?.owed.firstIndex(where: {
        $0.sequence == answer.sequence && $0.epoch == answer.epoch
      }) {
        features[peer]?.owed.remove(at: place)
      }
    case .heartbeat(let effect, let attempt, let cursor):
      if let known = tries[effect], known.attempt == attempt, !known.isOver {
        tries[effect]?.cursor = cursor
      }
    case .output(let output): came(output.effect, output.attempt)
    case .effectEnded(let effect, let attempt, _, let result):
      came(effect, attempt)
      guard let known = tries[effect], known.attempt == attempt, !known.isOver else { return }
      tries[effect]?.isOver = true
      guard case .failed(_, _, let isRetryable) = result else { return }
      tries[effect]?.failures += 1
      tries[effect]?.isFinal = !isRetryable
      tries[effect]?.failedAt = now
    default: break
    }
  }

  /// - Returns: what is wrong with it.
  mutating func sent(_ peer: PeerID, _ message: Message, now: Int64) -> Violation? {
    switch message {
    case .reset: features[peer] = Feature()
    case .work(let work) where !work.isReplay:
      features[peer, default: Feature()].owed.append(
        Given(sequence: work.sequence, epoch: work.epoch))
      let highest = features[peer]?.highest ?? 0
      features[peer]?.highest = max(highest, work.sequence)
    case .squash(_, let sequence):
      features[peer]?.owed.removeAll { $0.sequence > sequence }
      let highest = features[peer]?.highest ?? 0
      features[peer]?.highest = min(highest, sequence)
    case .cancelEffect(let effect, let attempt), .attemptRefused(let effect, let attempt):
      if let old = superseded, old == (effect, attempt) { superseded = nil }
      guard let known = tries[effect], known.attempt == attempt, !known.isOver else { return nil }
      tries[effect]?.isOver = true
      tries[effect]?.withdrawn += 1
    case .assign(let assignment): return assigned(assignment, now: now)
    default: break
    }
    return nil
  }

  private mutating func came(_ effect: EffectID, _ attempt: Attempt) {
    if let known = tries[effect], attempt < known.attempt { superseded = (effect, attempt) }
  }

  /// What came has been answered.
  mutating func checkSuperseded() -> Violation? {
    guard let (effect, attempt) = superseded else { return nil }
    superseded = nil
    return Violation(
      .supersededIsRefused, "\(attempt) of \(effect) was not, though another one was assigned")
  }

  private mutating func assigned(_ assignment: Assignment, now: Int64) -> Violation? {
    let effect = assignment.effect
    guard var known = tries[effect] else {
      tries[effect] = Try(
        attempt: assignment.attempt, policy: assignment.policy,
        isWhole: assignment.attempt.number == 1 && !inherited.contains(effect))
      return nil
    }
    let policy = assignment.policy
    if known.isFinal || known.failures >= Int(policy.maximumAttempts) {
      return Violation(
        .attemptsWithinPolicy,
        "\(effect) was assigned again after \(known.failures) failures, "
          + "\(policy.maximumAttempts) attempts are allowed")
    }
    if known.failures > 0, now < known.failedAt + known.pause {
      return Violation(
        .attemptsWithinPolicy, "\(effect) was assigned again before its pause was over")
    }
    if let cursor = known.cursor, cursor != assignment.cursor {
      return Violation(
        .cursorIsTheLast,
        "\(effect) was assigned with the cursor \(assignment.cursor.text), not \(cursor.text)")
    }
    if assignment.attempt <= known.attempt {
      return Violation(
        .attemptsWithinPolicy, "\(effect) was assigned as \(assignment.attempt) twice")
    }
    known.attempt = assignment.attempt
    known.isOver = false
    tries[effect] = known
    return nil
  }

  /// An effect that failed because its attempts are used up; losing a worker costs none.
  func checkGivingUp(_ effect: EffectID) -> Violation? {
    guard let known = tries[effect], known.isWhole,
      known.failures + known.withdrawn < Int(known.policy.maximumAttempts)
    else { return nil }
    return Violation(
      .attemptsWithinPolicy,
      "\(effect) was given up after \(known.failures) failures, "
        + "\(known.policy.maximumAttempts) attempts are allowed")
  }

  /// The peer is gone for the router.
  /// - Returns: the record that was reduced alone, if one was.
  mutating func gone(_ peer: PeerID) -> UInt64? {
    names[peer] = nil
    guard let feature = features.removeValue(forKey: peer), feature.owed.count == 1,
      feature.highest <= feature.owed[0].sequence
    else { return nil }
    return feature.owed[0].sequence
  }
}

extension RouterWatch.Try {
  /// It doubles with each failure.
  var pause: Int64 {
    var pause = policy.initialBackoff
    for _ in 1..<max(failures, 1) { pause = min(2 * pause, policy.maximumBackoff) }
    return pause
  }
}
