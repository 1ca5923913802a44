import CSystem
import Glibc
package import Penstock
package import PenstockCore
package import Platform
package import Processes
import Wire
package import ZeroMQ

/// The process that runs operations: a socket and the worker's machine in one thread, the operations
/// as tasks besides it.
package enum WorkerProcess {
  package struct Options: Sendable {
    package var directory: RunDirectory
    package var name: String
    package var slots: UInt32 = 4
    package var queues = ["default"]
    /// How long running operations may take to finish when the worker is asked to stop.
    package var grace: Int64 = 10_000_000
    /// Where the router is, when not in the run directory.
    package var endpoint: Endpoint?
    package var dependencies = DependencyValues()

    package init(directory: RunDirectory, name: String) {
      self.directory = directory
      self.name = name
    }
  }

  /// Runs until somebody asks it to stop, or it can't go on.
  package static func run(
    _ options: Options, description: ApplicationDescription, operations: OperationRegistry,
    supervision: Supervision, log: Log
  ) -> ExitCode {
    let runner = OperationRunner(
      operations: operations, dependencies: options.dependencies, log: log)
    return run(options, description: description, work: runner, supervision: supervision, log: log)
  }

  /// The same with somebody else who does the work.
  package static func run(
    _ options: Options, description: ApplicationDescription, work: any AssignedWork,
    supervision: Supervision, log: Log
  ) -> ExitCode {
    do {
      let endpoint = try options.endpoint ?? Endpoint(path: options.directory.routerSocket)
      let hello = Hello(
        role: .worker, name: options.name, session: penstock_random(),
        processID: UInt32(getpid()), application: description.name,
        schemaHash: description.schemaHash, description: JSONWriter.bytes(of: description),
        queues: options.queues, slots: options.slots)
      var loop = WorkerLoop(
        peer: try PeerSocket(
          context: Context(), endpoint: endpoint, seed: penstock_random(),
          now: SystemClock.monotonic),
        hello: hello, work: work, grace: options.grace, supervision: supervision, log: log)
      return try loop.run()
    } catch let error as TransportError {
      log.error(error.message)
      return .refused
    } catch {
      log.error("\(error)")
      return .failed
    }
  }
}
