import Glibc

/// Finds executables as the supervisor does.
enum Executable {
  /// - Parameter name: a path, or a name in $PENSTOCK_BIN, beside this executable or on the PATH.
  static func find(_ name: String) throws(CommandFailure) -> String {
    if name.contains("/") {
      if isExecutable(name), let path = realpath(name, nil) {
        defer { free(path) }
        return String(cString: path)
      }
      throw CommandFailure(.noSuchName, "PS-K03", "there is no executable \(name)")
    }
    let listed = environment("PATH").split(separator: ":").map(String.init)
    for directory in [environment("PENSTOCK_BIN"), own] + listed where !directory.isEmpty {
      let path = "\(directory)/\(name)"
      if isExecutable(path) { return path }
    }
    throw CommandFailure(
      .noSuchName, "PS-K03", "no executable \(name)",
      "Looked in $PENSTOCK_BIN, \(own) and the PATH.", "Try: Deploy/build")
  }

  /// The directory of this executable.
  private static var own: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    let text = String(cString: path)
    return text.lastIndex(of: "/").map { String(text[..<$0]) } ?? ""
  }

  private static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  private static func isExecutable(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
