import Glibc

/// Where an application's journal stays when its run directory is gone; the rule of Deploy/supervisor.
package struct StateDirectory: Hashable, Sendable {
  package let path: String

  /// `$XDG_STATE_HOME/penstock/NAME`, or `~/.local/state/penstock/NAME` without such a variable.
  package static func standard(application: String) -> StateDirectory {
    let state =
      variable("XDG_STATE_HOME") ?? "\(variable("HOME") ?? "/nonexistent")/.local/state"
    return StateDirectory(path: "\(state)/penstock/\(application)")
  }

  package var journal: String { "\(path)/journal.sqlite" }

  /// Makes the directory, for this user alone.
  /// - Throws: `SystemError` when it can't be made or written to.
  package func make() throws(SystemError) {
    guard makeDirectories(path), access(path, W_OK) == 0 else {
      throw SystemError.last("can't write to \(path)")
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
