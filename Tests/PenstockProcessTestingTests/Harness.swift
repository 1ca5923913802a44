import Foundation
import Penstock
import PenstockProcessTesting
import PenstockTesting

@testable import scenarios

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

  /// Runs a scenario: in processes the root, the feature, and every scope below it that can have one
  /// are processes of their own.
  nonisolated(nonsending) func scenario(
    _ feature: String, from state: Scenarios.State? = nil,
    now: Date = Date(timeIntervalSince1970: 0),
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    let app = ScenarioApp()
    switch self {
    case .oneProcess: try await body(TestStore(app, initialState: state, now: now))
    case .processes:
      let scopes = app.program.description.levels.filter { level in
        level.placementObstacle == nil
          && (level.path.isRoot || level.path.components.first == feature)
      }
      try await body(
        ProcessTestStore(
          app, initialState: state, executable: "scenarios", placing: scopes.map(\.path), now: now))
    }
  }
}
