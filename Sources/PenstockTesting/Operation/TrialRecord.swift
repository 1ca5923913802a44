import Synchronization

/// Collects what an operation does from wherever it does it.
final class TrialRecord<Output: Sendable>: Sendable {
  private let trial = Mutex(OperationTrial<Output>())

  var value: OperationTrial<Output> { trial.withLock { $0 } }

  func change(_ body: (inout OperationTrial<Output>) -> Void) { trial.withLock { body(&$0) } }
}
