import PenstockTesting
import Synchronization

/// What test stores said while the body ran, instead of recording issues.
struct Reported: Hashable {
  var text: String
  var line: Int
  var isSkipped = false
}

func reports(_ body: () async throws -> Void) async rethrows -> [Reported] {
  let reports = Collected()
  let reporter = Reporter { kind, text, place in
    reports.values.withLock {
      $0.append(Reported(text: text, line: place.line, isSkipped: kind == .skipped))
    }
  }
  try await Reporter.$current.withValue(reporter) { try await body() }
  return reports.values.withLock { $0 }
}

/// The texts alone.
func texts(_ body: () async throws -> Void) async rethrows -> [String] {
  try await reports(body).map(\.text)
}

private final class Collected: Sendable {
  let values = Mutex<[Reported]>([])
}
