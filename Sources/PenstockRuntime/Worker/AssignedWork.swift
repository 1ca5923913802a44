package import PenstockCore
package import Platform
package import Wire

/// Who does the work that the router assigns to a worker, and reports on it.
package protocol AssignedWork: Sendable {
  var reports: Inbox<WorkReport> { get }

  func run(_ assignment: Assignment)
  /// The router wants no more of it.
  func cancel(_ effect: EffectID, _ attempt: Attempt)
}
