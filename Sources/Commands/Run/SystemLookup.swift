import Glibc
package import Platform
import Processes

/// Finds the run directory of the system that is meant.
package enum SystemLookup {
  /// - Parameter name: what `--system` says, a name or a directory; nil looks for the only one.
  package static func find(_ name: String?) throws(CommandFailure) -> RunDirectory {
    if let name = name ?? environment("PENSTOCK_SYSTEM") {
      if name.contains("/") || name == "." { return RunDirectory(path: absolutePath(name)) }
      return RunDirectory.standard(application: name)
    }
    let base = RunDirectory.standard(application: "").path
    let running = names(in: base).sorted().map { RunDirectory(path: "\(base)/\($0)") }
      .filter { if case .silent = RouterAbsence(in: $0) { true } else { false } }
    switch running.count {
    case 1: return running[0]
    case 0:
      throw CommandFailure(
        .notRunning, "PS-C01", "nothing is running", "There is no system in \(base).",
        "Try: Deploy/supervisor up APP, or name its run directory with -S DIR")
    default:
      let found = running.map { String($0.path.dropFirst(base.count + 1)) }
      throw CommandFailure(
        .usage, "PS-C02", "several systems are running: \(found.joined(separator: ", "))",
        "Name one: -S \(found[0])")
    }
  }

  /// Why no router answers there.
  package static func silence(of directory: RunDirectory) -> CommandFailure {
    let path = directory.path
    let message = "no router answers in \(path)"
    let start = "Try: Deploy/supervisor status -S \(path)"
    switch RouterAbsence(in: directory) {
    case .noDirectory:
      return CommandFailure(.notRunning, "PS-C03", message, "There is no such directory.", start)
    case .notPermitted:
      return CommandFailure(
        .refused, "PS-C05", "the system in \(path) belongs to another user",
        "Run this command as that user.")
    case .neverStarted:
      return CommandFailure(.notRunning, "PS-C03", message, "No router was started there.", start)
    case .gone(let process):
      return CommandFailure(
        .notRunning, "PS-C03", message, "Its router, process \(process), is gone.", start)
    case .silent(let process) where access(directory.routerSocket, F_OK) != 0:
      return CommandFailure(
        .timedOut, "PS-C04", message,
        "Its router, process \(process), lives, but its socket router.sock is not there.",
        "If something removed it: Deploy/supervisor restart router -S \(path)")
    case .silent(let process):
      return CommandFailure(
        .timedOut, "PS-C04", "the router in \(path) did not answer in time",
        "Its process \(process) lives, but is silent or not ready.", start)
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  private static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
