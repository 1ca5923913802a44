import Penstock
import Platform
import Processes
import ZeroMQ

/// Where a store connects to, and what can be said when nobody answers there.
struct StoreAddress {
  let endpoint: Endpoint
  /// nil for an endpoint that is no socket in a run directory.
  private let directory: RunDirectory?

  /// - Parameter text: a run directory, or an endpoint such as `ipc:///run/me/router.sock`; nil is
  ///   where a system of this application runs by default.
  init(_ text: String?, application: String) throws(StoreError) {
    do throws(TransportError) {
      if let text, text.contains("://") {
        endpoint = try Endpoint(text)
        directory = StoreAddress.directory(of: endpoint)
      } else {
        let directory =
          text.map { RunDirectory(path: $0) } ?? RunDirectory.standard(application: application)
        endpoint = try Endpoint(path: directory.routerSocket)
        self.directory = directory
      }
    } catch {
      throw StoreError(.invalidAddress, error.message)
    }
  }

  private static func directory(of endpoint: Endpoint) -> RunDirectory? {
    guard case .ipc(let path) = endpoint, let slash = path.lastIndex(of: "/") else { return nil }
    let directory = RunDirectory(path: String(path[..<slash]))
    return directory.routerSocket == path ? directory : nil
  }

  /// - Throws: when waiting for an answer is in vain.
  func check() throws(StoreError) {
    if let directory, RouterAbsence(in: directory) == .notPermitted { throw silence }
  }

  /// Why nobody answers.
  var silence: StoreError {
    guard let directory else {
      return StoreError(.notRunning, "no router answers at \(endpoint)")
    }
    let path = directory.path
    let start = "start the system, or name its run directory"
    switch RouterAbsence(in: directory) {
    case .noDirectory:
      return StoreError(.notRunning, "there is no directory \(path); \(start)")
    case .neverStarted:
      return StoreError(.notRunning, "no router was started in \(path); \(start)")
    case .gone(let process):
      return StoreError(
        .notRunning, "the router in \(path), process \(process), is gone; \(start)")
    case .notPermitted:
      return StoreError(
        .notPermitted,
        "the system in \(path) belongs to another user; run this program as that user")
    case .silent(let process):
      return StoreError(
        .silent, "the router in \(path), process \(process), lives, but did not answer in time")
    }
  }
}
