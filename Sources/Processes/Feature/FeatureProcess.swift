import CSystem
import Glibc
import Machines
package import PenstockCore
package import Platform
import Wire
package import ZeroMQ

/// The process of one placed scope: a socket, a link and the feature's machine, in one thread.
package enum FeatureProcess {
  package struct Options: Sendable {
    package var directory: RunDirectory
    package var path: Path
    package var placement: [Path]
    /// Where the router is, when not in the run directory.
    package var endpoint: Endpoint?

    package init(directory: RunDirectory, path: Path, placement: [Path]) {
      self.directory = directory
      self.path = path
      self.placement = placement
    }
  }

  /// Runs until somebody asks it to stop, or it can't go on.
  package static func run(
    _ options: Options, application: any ApplicationProgram, supervision: Supervision, log: Log
  ) -> ExitCode {
    do {
      try options.directory.make()
      let scope = options.path.description
      // A killed process of the same path may be ending just now.
      let lock = try FileLock(
        path: options.directory.featureLock(scope), what: "a process for \(scope)",
        patience: 3_000_000)
      defer { withExtendedLifetime(lock.fileDescriptor) {} }
      let progress = try ProgressPage(path: options.directory.featurePage(scope))
      if progress[0] != 0 {
        log.warning("the last process died while it reduced", ["seq": "\(progress[0])"])
      }
      let program = try application.node(at: options.path, placement: options.placement)
      let endpoint = try options.endpoint ?? Endpoint(path: options.directory.routerSocket)
      var loop = FeatureLoop(
        peer: try PeerSocket(
          context: Context(), endpoint: endpoint, seed: penstock_random(),
          now: SystemClock.monotonic),
        program: program, hello: hello(options.path, application.description),
        progress: progress, supervision: supervision, log: log,
        routerSocket: options.endpoint == nil ? options.directory.routerSocket : nil)
      return try loop.run()
    } catch let error as TransportError {
      log.error(error.message)
      return .refused
    } catch let error as SystemError {
      log.error(error.message)
      return .refused
    } catch {
      log.error("\(error)")
      return .failed
    }
  }

  private static func hello(_ path: Path, _ description: ApplicationDescription) -> Hello {
    var description = description
    description.build = penstock_build_id()
    return Hello(
      role: .feature, name: path.description, session: penstock_random(),
      processID: UInt32(getpid()), application: description.name,
      schemaHash: description.schemaHash, description: JSONWriter.bytes(of: description))
  }
}
