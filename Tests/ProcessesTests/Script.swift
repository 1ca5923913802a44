import Glibc
import ProcessSupport
import Testing

/// An executable text, in a directory of its own.
struct Script {
  private let directory = TemporaryDirectory()
  var path: String { directory.file("script") }

  init(_ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
    #expect(write(file, text, text.utf8.count) == text.utf8.count)
    close(file)
    // A process that another test starts just now may still have the file open for writing.
    let path = path
    #expect(eventually(within: 10) { (try? ChildProcess(path, ["--version"])) != nil })
  }
}
