import Foundation
import HarnessSupport
import Penstock
import PenstockTesting

@testable import scenarios

extension Harness {
  nonisolated(nonsending) func run<App: PenstockApp>(
    _ app: App, executable: String,
    _ body: nonisolated(nonsending) (TestStoreOf<App.Root>) async throws -> Void
  ) async throws {
    try await body(store(app, executable: executable))
  }

  /// Runs a scenario: in processes the root, the feature, and every scope below it that can have one
  /// are processes of their own.
  nonisolated(nonsending) func scenario(
    _ feature: String, from state: Scenarios.State? = nil,
    now: Date = Date(timeIntervalSince1970: 0),
    _ body: nonisolated(nonsending) (TestStoreOf<Scenarios>) async throws -> Void
  ) async throws {
    let app = ScenarioApp()
    let scopes = app.program.description.levels.filter { level in
      level.placementObstacle == nil
        && (level.path.isRoot || level.path.components.first == feature)
    }
    try await body(
      store(app, from: state, executable: "scenarios", placing: scopes.map(\.path), now: now))
  }
}
