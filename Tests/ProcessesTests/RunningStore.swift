import Glibc
import Penstock
import PenstockRuntime
import ProcessSupport

@testable import pair

/// A store of the pair application, and what it runs on.
final class RunningStore {
  enum Engine: CaseIterable {
    /// Reducers and effects in this process.
    case inProcess
    /// Connected to `pair run`.
    case wholeApplication
    /// Connected to a router, features and a worker.
    case processes
  }

  let store: Store<PairApplication>
  private var system: RunningSystem?
  private var application: (ChildProcess, TemporaryDirectory)?

  init(_ engine: Engine) async throws {
    switch engine {
    case .inProcess: store = Store(PairApplication())
    case .wholeApplication:
      let directory = TemporaryDirectory()
      application = (
        try ChildProcess("pair", ["run", "--run-dir", directory.path, "--no-durability"]), directory
      )
      store = try await .connect(to: directory.path, timeout: .seconds(20))
    case .processes:
      let system = try RunningSystem()
      self.system = system
      store = try await .connect(to: system.directory.path, timeout: .seconds(20))
    }
  }
}
