/// What a reducer asks for, as a value: it can be compared, shown, kept and handed to a worker.
///
/// Starts and cancels of one transition apply together and in the listed order (R14).
public struct Effect<Action: JSONCodable>: Sendable, Equatable {
  package enum Step: Sendable, Equatable {
    case send(Action)
    case operation(OperationStep)
    case timer(TimerStep<Action>)
    case cancel(CancelID)
    case dismiss
    /// Starts effects after a time.
    case deferred(DeferredStep<Action>)
    /// A sentence about what was probably not meant.
    case diagnostic(String)
  }

  package var steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// `count` of an array needs no type; `isEmpty`, of any collection, does.
  var isNone: Bool { steps.count == 0 }

  /// Nothing.
  public static var none: Self { Effect([]) }

  /// Another action, handled after all that is in the queue already.
  public static func send(_ action: Action) -> Self { Effect([.send(action)]) }

  /// Takes away the innermost presented feature around this one: its parent receives `.dismiss`, or
  /// `.popFrom` with its id when it is an element of a stack.
  public static var dismiss: Self { Effect([.dismiss]) }

  /// All of them, started in the given order.
  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  public static func merge(_ effects: some Sequence<Self>) -> Self {
    Effect(effects.flatMap(\.steps))
  }

  public func merge(with other: Self) -> Self { Effect(steps + other.steps) }

  /// An action once, after a time.
  public static func after(_ interval: Duration, _ action: Action) -> Self {
    timer(interval, action, isRepeating: false)
  }

  /// An action again and again until it is cancelled. Missed ticks collapse into one.
  public static func every(_ interval: Duration, _ action: Action) -> Self {
    timer(interval, action, isRepeating: true)
  }

  private static func timer(
    _ interval: Duration, _ action: Action, isRepeating: Bool
  ) -> Self {
    Effect([
      .timer(
        TimerStep(interval: interval.boundedMicroseconds, isRepeating: isRepeating, action: action))
    ])
  }
}

/// An operation to be started.
package struct OperationStep: Sendable, Equatable {
  var name: String
  var input: Bytes
  var output: OutputCase
  var policy = EffectPolicy()
  var cancelIDs: [CancelID] = []
}

/// Effects to be started after a time.
package struct DeferredStep<Action: JSONCodable>: Sendable, Equatable {
  var interval: Int64
  var effect: Effect<Action>
  var cancelIDs: [CancelID] = []
}

/// A timer to be started.
package struct TimerStep<Action: JSONCodable>: Sendable, Equatable {
  /// In microseconds, at least one.
  var interval: Int64
  var isRepeating: Bool
  var action: Action
  var cancelIDs: [CancelID] = []
}

extension Duration {
  /// In microseconds, at least one, so that nothing repeats without time passing, and at most `longest`,
  /// so that sums of some of them don't overflow.
  var boundedMicroseconds: Int64 {
    if components.seconds >= Self.longest / 1_000_000 { return Self.longest }
    return self < .zero ? 1 : max(1, microseconds)
  }

  /// The longest time that the protocol has, in microseconds: 36,000 years.
  static var longest: Int64 { 1 << 60 }
}
