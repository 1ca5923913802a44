package import FoundationEssentials
package import Penstock
import PenstockProcessTesting
package import PenstockTesting

/// The two stores on which the body of a test runs.
package enum Harness: CaseIterable, Sendable {
  case oneProcess
  case processes

  /// - Parameters:
  ///   - state: how it begins; nil for the application's own first state.
  ///   - executable: the application's, for processes.
  ///   - scopes: which get processes of their own; nil for all that can.
  package func store<App: PenstockApp>(
    _ app: App, from state: App.Root.State? = nil, executable: String,
    placing scopes: [Path]? = nil, now: Date = Date(timeIntervalSince1970: 0)
  ) throws -> TestStoreOf<App.Root> {
    switch self {
    case .oneProcess: TestStore(app, initialState: state, now: now)
    case .processes:
      try ProcessTestStore(
        app, initialState: state, executable: executable, placing: scopes, now: now)
    }
  }
}
