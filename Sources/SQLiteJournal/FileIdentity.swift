import Glibc
import Machines

/// Which file a name means: it may be removed or replaced while somebody writes it.
struct FileIdentity: Hashable {
  private var device: UInt
  private var number: UInt

  init(_ path: String) throws(JournalError) {
    guard let found = Self.find(path) else {
      throw JournalError(.missing, "the journal \(path) is gone")
    }
    self = found
  }

  private init(device: UInt, number: UInt) {
    self.device = device
    self.number = number
  }

  private static func find(_ path: String) -> FileIdentity? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    return FileIdentity(device: information.st_dev, number: information.st_ino)
  }

  func isAt(_ path: String) -> Bool { Self.find(path) == self }
}
