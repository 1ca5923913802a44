import Machines
import Penstock
import PenstockCore
import Platform
import Synchronization
import Wire

/// Runs operations as Swift tasks, and puts what they report into an inbox for the worker's thread.
final class OperationRunner: AssignedWork {
  struct Key: Hashable, Sendable {
    var effect: EffectID
    var attempt: Attempt
  }

  let reports = Inbox<WorkReport>()
  private let operations: OperationRegistry
  private let dependencies: DependencyValues
  private let log: Log
  private let tasks = Mutex<[Key: Task<Void, Never>]>([:])

  init(operations: OperationRegistry, dependencies: DependencyValues, log: Log) {
    self.operations = operations
    self.dependencies = dependencies
    self.log = log
  }

  func run(_ assignment: Assignment) {
    let key = Key(effect: assignment.effect, attempt: assignment.attempt)
    tasks.withLock { tasks in
      tasks[key] = Task { [self] in
        await perform(assignment)
        _ = self.tasks.withLock { $0.removeValue(forKey: key) }
      }
    }
  }

  func cancel(_ effect: EffectID, _ attempt: Attempt) {
    tasks.withLock { $0[Key(effect: effect, attempt: attempt)] }?.cancel()
  }

  private func perform(_ assignment: Assignment) async {
    let (effect, attempt) = (assignment.effect, assignment.attempt)
    let isSingle = operations.hasOneOutput(assignment.operation)
    do {
      try await operations.run(
        assignment.operation, input: assignment.input, context: context(assignment)
      ) { [reports] value in
        if isSingle {
          reports.put(.produced(effect, attempt, value, isFinal: true, nil))
        } else {
          await withCheckedContinuation { continuation in
            reports.put(.produced(effect, attempt, value, isFinal: false, continuation))
          }
          try Task.checkCancellation()
        }
      }
      if !isSingle { reports.put(.ended(effect, attempt, .finished)) }
    } catch is CancellationError {
      reports.put(.ended(effect, attempt, .cancelled))
    } catch {
      let failure = error as? Failure ?? Failure(code: Failure.error, message: "\(error)")
      reports.put(
        .ended(
          effect, attempt,
          .failed(code: failure.code, message: failure.message, isRetryable: true)))
    }
  }

  private func context(_ assignment: Assignment) -> OperationContext {
    let (effect, attempt) = (assignment.effect, assignment.attempt)
    return OperationContext(
      effectID: effect, attempt: attempt.number,
      deadline: assignment.policy.timeout.map { SystemClock.wall + $0 },
      nextIndex: assignment.nextIndex,
      lastCursor: assignment.cursor.isEmpty ? nil : assignment.cursor,
      dependencies: dependencies,
      heartbeat: { [reports] cursor in
        reports.put(.heartbeat(effect, attempt, cursor: cursor ?? []))
      },
      log: { [log] message in
        log.info(message, ["operation": assignment.operation, "effect": "\(effect)"])
      })
  }
}
