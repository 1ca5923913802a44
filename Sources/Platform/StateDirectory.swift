import Glibc

/// Where an application's journal stays when its run directory is gone; the rule of Deploy/supervisor.
package struct StateDirectory: Hashable, Sendable {
  package let path: String

  /// `$XDG_STATE_HOME/penstock/NAME`, or `~/.local/state/penstock/NAME` without such a variable.
  package static func standard(application: String) -> StateDirectory {
    let state = variable("XDG_STATE_HOME") ?? "\(home)/.local/state"
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

  /// `$HOME`, or what the user database says; services often start without the variable.
  private static var home: String {
    if let home = variable("HOME") { return home }
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else {
      return "/nonexistent"
    }
    return String(cString: home)
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
