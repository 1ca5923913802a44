import CSystem
import Glibc

/// An exclusive lock on a file, held as long as this value lives and given up when its process ends,
/// however it ends. The file holds the owner's process id.
package struct FileLock: ~Copyable, Sendable {
  package let fileDescriptor: Int32

  /// - Parameter patience: how long, in microseconds, to wait for a holder that is just ending.
  /// - Throws: `SystemError` with code `taken` that names the holder.
  package init(path: String, what: String, patience: Int64 = 0) throws(SystemError) {
    let deadline = SystemClock.monotonic + patience
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError.last("can't open the lock file \(path)") }
    while penstock_lock(file) != 0 {
      if errno == EWOULDBLOCK, SystemClock.monotonic < deadline {
        usleep(5000)
        continue
      }
      let isHeld = errno == EWOULDBLOCK
      let owner = FileLock.owner(of: file)
      let failure = SystemError.last("can't lock \(path)")
      close(file)
      if isHeld {
        throw SystemError(.taken, "\(what) is running already\(owner) (it holds \(path))")
      }
      throw failure
    }
    fileDescriptor = file
    let text = "\(getpid())\n"
    ftruncate(file, 0)
    pwrite(file, text, text.utf8.count, 0)
  }

  deinit { close(fileDescriptor) }

  /// Writes a word behind the process id; it stays when the lock is given up.
  package func note(_ word: String) {
    let text = "\(getpid())\n\(word)\n"
    pwrite(fileDescriptor, text, text.utf8.count, 0)
  }

  /// What the last holder noted; nil when nothing was.
  package static func note(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = pread(file, &buffer, buffer.count, 0)
    guard length > 0 else { return nil }
    let lines = buffer[..<length].split(separator: 10, omittingEmptySubsequences: false)
    return lines.count > 2 ? String(decoding: lines[1], as: UTF8.self) : nil
  }

  /// The process that holds the lock; nil when none does.
  package static func holder(of path: String) -> Int32? {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard penstock_lock(file) != 0, errno == EWOULDBLOCK else { return nil }
    return processID(in: file)
  }

  private static func owner(of file: Int32) -> String {
    processID(in: file).map { ", as process \($0)" } ?? ""
  }

  private static func processID(in file: Int32) -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let length = pread(file, &buffer, buffer.count, 0)
    guard length > 0 else { return nil }
    return Int32(String(decoding: buffer[..<length].prefix { $0 != 10 }, as: UTF8.self))
  }
}
