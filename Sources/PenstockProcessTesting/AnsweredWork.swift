import PenstockCore
import PenstockRuntime
import Platform
import Wire

/// The work of the worker that a test is: nothing runs, the test says what comes of it.
final class AnsweredWork: AssignedWork {
  let reports = Inbox<WorkReport>()
  private let assigned: @Sendable (Assignment) -> Void

  init(assigned: @escaping @Sendable (Assignment) -> Void) { self.assigned = assigned }

  func run(_ assignment: Assignment) { assigned(assignment) }

  /// Whoever cancelled it is in the order.
  func cancel(_ effect: EffectID, _ attempt: Attempt) {}
}
