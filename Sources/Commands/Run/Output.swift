import Glibc
import Platform

/// Where a command prints. Nothing is kept back: a pipe sees every record at once.
package struct Output: Sendable {
  /// Thrown when the reader of standard output is gone: the command ends quietly.
  package struct ReaderGone: Error {}

  package let isQuiet: Bool
  package let usesColor: Bool

  package init(_ invocation: Invocation) {
    isQuiet = invocation.has("quiet")
    switch invocation.value("color") {
    case "always": usesColor = true
    case "never": usesColor = false
    default:
      let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? false
      usesColor = isatty(1) == 1 && getenv("NO_COLOR") == nil && !isDumb
    }
  }

  package func write(_ text: String) throws { try Output.write(text, to: 1) }

  /// For people: to standard error, and not with `--quiet`.
  package func remark(_ text: String) {
    if !isQuiet { try? Output.write(text.printableLines, to: 2) }
  }

  package static func write(_ text: String, to file: Int32) throws {
    var text = text
    try text.withUTF8 { buffer in
      var rest = UnsafeRawBufferPointer(buffer)
      while let base = rest.baseAddress, rest.count > 0 {
        let count = Glibc.write(file, base, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EPIPE {
          throw ReaderGone()
        } else if errno != EINTR {
          let why = String(cString: strerror(errno))
          throw CommandFailure(.refused, "PS-X02", "can't write the output: \(why)")
        }
      }
    }
  }
}
