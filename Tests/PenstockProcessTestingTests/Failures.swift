import PenstockTesting
import Synchronization

/// What test stores said while the body ran, instead of recording issues.
nonisolated(nonsending) func texts(
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [String] {
  let texts = Collected()
  let reporter = Reporter { _, text, _ in texts.values.withLock { $0.append(text) } }
  try await Reporter.$current.withValue(reporter) { try await body() }
  return texts.values.withLock { $0 }
}

extension [String] {
  var firstLines: [String] { map { String($0.prefix { $0 != "\n" }) } }
}

private final class Collected: Sendable {
  let values = Mutex<[String]>([])
}
