import Glibc
package import PenstockCore

/// A file that is read whole, or written line by line.
package final class TextFile: Sendable {
  private let file: Int32

  /// nil when it can't be written; why is in `errno`.
  package init?(path: String) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return nil }
  }

  deinit { close(file) }

  package func write(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, rest.count > 0 {
        let count = Glibc.write(file, base, rest.count)
        if count < 0, errno != EINTR { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
      }
    }
  }

  package static func read(_ path: String) -> Bytes? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: Bytes = []
    var buffer = Bytes(repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
    }
  }
}
