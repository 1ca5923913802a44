import Glibc
package import PenstockCore

/// Reads whole files and standard input.
package enum InputFile {
  /// - Throws: `CommandFailure` that names the file and the reason.
  package static func read(_ path: String) throws(CommandFailure) -> Bytes {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    return try read(file, named: path)
  }

  package static func standardInput() throws(CommandFailure) -> Bytes {
    try read(0, named: "standard input")
  }

  private static func read(_ file: Int32, named name: String) throws(CommandFailure) -> Bytes {
    var bytes: Bytes = []
    var buffer = Bytes(repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if errno != EINTR {
        throw failure(name)
      }
    }
  }

  static func failure(_ name: String) -> CommandFailure {
    CommandFailure(
      .usage, "PS-A08", "can't read \(name): \(String(cString: strerror(errno)))")
  }
}
