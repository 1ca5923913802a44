import Synchronization
import Testing

/// Where a test store says what is wrong.
package struct Reporter: Sendable {
  package enum Kind: Sendable { case failure, skipped }

  package var report: @Sendable (Kind, String, Place) -> Void

  package init(report: @escaping @Sendable (Kind, String, Place) -> Void) { self.report = report }

  /// Records an issue of the test that runs; what was skipped is a warning.
  package static let issues = Reporter { kind, text, place in
    Issue.record(
      Comment(rawValue: text), severity: kind == .failure ? .error : .warning,
      sourceLocation: place.sourceLocation)
  }

  /// Replaced where the texts themselves are tested.
  @TaskLocal package static var current = issues
}
