import Glibc
import Platform
import ProcessSupport
import Testing

@Suite struct FileLockTests {
  let directory = TemporaryDirectory()

  @Test func `a lock is held once, and free again when its owner let go`() throws {
    let path = directory.file("lock")
    do {
      let first = try FileLock(path: path, what: "a router")
      #expect {
        _ = try FileLock(path: path, what: "a router")
      } throws: {
        "\($0)" == "a router is running already, as process \(getpid()) (it holds \(path))"
      }
      _ = first.fileDescriptor
    }
    _ = try FileLock(path: path, what: "a router")
  }
}
