import PenstockCore
import PenstockRuntime
import Platform
import Wire

/// The work of the worker that a test is: nothing runs, the test says what comes of it.
final class AnsweredWork: AssignedWork {
  let reports = Inbox<WorkReport>()
  private let assigned: @Sendable (Assignment) -> Void
  private let cancelled: @Sendable (EffectID) -> Void

  init(
    assigned: @escaping @Sendable (Assignment) -> Void,
    cancelled: @escaping @Sendable (EffectID) -> Void
  ) {
    self.assigned = assigned
    self.cancelled = cancelled
  }

  func run(_ assignment: Assignment) { assigned(assignment) }

  func cancel(_ effect: EffectID, _ attempt: Attempt) { cancelled(effect) }
}
