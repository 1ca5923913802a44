import CSystem
import Glibc
public import Penstock
import PenstockCore
import Platform
import Processes
import ZeroMQ

/// The `main` of an application: one binary that plays every role of it.
///
/// ```swift
/// @main enum UptimeMain {
///   static func main() { ApplicationMain.run(Uptime()) }
/// }
/// ```
///
/// The supervisor starts it as `uptime feature /targets`, `uptime worker`; `uptime run` is the whole
/// application in one process.
public enum ApplicationMain {
  /// Reads the command line, plays the role that it names, and ends the process.
  ///
  /// - Parameter dependencies: what operations get in the worker; what is not replaced is live.
  public static func run<App: PenstockApp>(
    _ app: App, dependencies: DependencyValues = DependencyValues()
  ) -> Never {
    // What linking touched is not needed any more; composing touches as much again.
    penstock_release_memory()
    let roles = ApplicationRoles(name: executableName, application: Application(app))
    roles.run(Array(CommandLine.arguments.dropFirst()), dependencies: dependencies)
  }

  private static var executableName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "application"
  }
}
