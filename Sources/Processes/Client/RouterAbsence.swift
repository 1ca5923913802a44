import Glibc
package import Platform

/// Why no router answers in a run directory.
package enum RouterAbsence: Hashable, Sendable {
  case noDirectory
  /// The directory belongs to another user.
  case notPermitted
  case neverStarted
  /// The router that ran there last.
  case gone(process: Int32)
  /// Its process lives, and is silent or not ready.
  case silent(process: Int32)

  package init(in directory: RunDirectory) {
    guard access(directory.path, F_OK) == 0 else {
      self = errno == EACCES ? .notPermitted : .noDirectory
      return
    }
    guard access(directory.path, R_OK | X_OK) == 0 else {
      self = .notPermitted
      return
    }
    guard let process = RouterAbsence.lastRouter(in: directory) else {
      self = .neverStarted
      return
    }
    let isAlive = kill(process, 0) == 0 || errno == EPERM
    self = isAlive ? .silent(process: process) : .gone(process: process)
  }

  /// The process that the router's lock file names.
  private static func lastRouter(in directory: RunDirectory) -> Int32? {
    let file = open(directory.routerLock, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 16)
    let length = read(file, &buffer, buffer.count)
    guard length > 0 else { return nil }
    return Int32(String(decoding: buffer[..<length].prefix { $0 != 10 }, as: UTF8.self))
  }
}
