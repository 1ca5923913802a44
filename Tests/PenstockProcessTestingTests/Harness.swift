import Penstock
import PenstockProcessTesting
import PenstockTesting

/// The same body on both stores.
enum Harness: CaseIterable {
  case oneProcess
  case processes

  func run<App: PenstockApp>(
    _ app: App, executable: String,
    _ body: nonisolated(nonsending) (TestStoreOf<App.Root>) async throws -> Void
  ) async throws {
    switch self {
    case .oneProcess: try await body(TestStore(app))
    case .processes: try await body(ProcessTestStore(app, executable: executable))
    }
  }
}
