import CSystem
import Glibc

/// Where one running system has its sockets, locks and, unless told otherwise, its journal.
package struct RunDirectory: Hashable, Sendable {
  package let path: String

  package init(path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
  }

  /// `$XDG_RUNTIME_DIR/penstock/NAME`, or `/tmp/penstock-UID/NAME` without such a directory.
  package static func standard(application: String) -> RunDirectory {
    if let runtime = getenv("XDG_RUNTIME_DIR"), runtime.pointee != 0 {
      return RunDirectory(path: "\(String(cString: runtime))/penstock/\(application)")
    }
    return RunDirectory(path: "/tmp/penstock-\(getuid())/\(application)")
  }

  package var routerSocket: String { "\(path)/router.sock" }
  package var tapSocket: String { "\(path)/tap.sock" }
  package var journal: String { "\(path)/journal.sqlite" }
  package var routerLock: String { "\(path)/router.lock" }

  /// The lock that the process of a placed scope holds, by the scope's path.
  package func featureLock(_ scope: String) -> String { "\(path)/\(fileName(scope)).lock" }
  /// The page on which it writes what it is reducing.
  package func featurePage(_ scope: String) -> String { "\(path)/\(fileName(scope)).page" }

  private func fileName(_ scope: String) -> String {
    let name = "feature" + scope.replacing("/", with: ":")
    guard name.utf8.count > 200 else { return name }
    // Files have shorter names than scopes may have.
    let hash = name.utf8.reduce(into: UInt64(14_695_981_039_346_656_037)) {
      $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return "feature-\(String(hash, radix: 16))"
  }

  /// Makes the directory, for this user alone.
  /// - Throws: `SystemError` when it can't be made, is another user's, or others may write to it.
  package func make() throws(SystemError) {
    guard makeDirectories(path) else {
      throw SystemError.last("can't make the run directory \(path)")
    }
    try checkParent()
    var information = stat()
    guard stat(path, &information) == 0 else {
      throw SystemError.last("can't use the run directory \(path)")
    }
    guard information.st_uid == getuid() else {
      throw SystemError(
        .failed,
        """
        the run directory \(path) belongs to user \(information.st_uid), and this process runs as \
        user \(getuid()); name another one with --run-dir
        """)
    }
    guard information.st_mode & 0o022 == 0 else {
      throw SystemError(
        .failed,
        """
        others may write to the run directory \(path), and then they could take over its sockets; \
        make it yours alone with "chmod 700 \(path)"
        """)
    }
  }

  /// Whoever owns the directory above could put another one in this one's place.
  private func checkParent() throws(SystemError) {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard !parent.isEmpty else { return }
    var information = stat()
    guard stat(parent, &information) == 0 else {
      throw SystemError.last("can't use the directory \(parent)")
    }
    guard information.st_uid == getuid() || information.st_uid == 0 else {
      throw SystemError(
        .failed,
        """
        the directory \(parent) belongs to user \(information.st_uid), who could replace the run \
        directory in it; name another one with --run-dir
        """)
    }
  }
}
