import Glibc
import Machines
import PenstockCore

/// The lines of a file or pipe, read as they come and not before somebody wants them.
/// The file is open until the command ends.
struct LineReader {
  private static let chunk = 1 << 16

  let file: Int32
  private let name: String
  private var rest: Bytes = []
  private var lines = Deque<Bytes>()
  private(set) var isAtEnd = false

  /// - Parameter source: `-` for standard input, or `@FILE`.
  init(_ source: String) throws(CommandFailure) {
    if source == "-" {
      (file, name) = (0, "standard input")
    } else if source.hasPrefix("@") {
      name = String(source.dropFirst())
      file = open(name, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw InputFile.failure(name) }
    } else {
      throw CommandFailure(.usage, "PS-A12", "with --lines, ACTION is - or @FILE, not \(source)")
    }
  }

  /// Lines that were read and not taken.
  var isEmpty: Bool { lines.isEmpty }

  mutating func take() -> Bytes { lines.removeFirst() }

  /// Reads once, if something can be read without waiting.
  mutating func readIfReady() throws(CommandFailure) {
    var item = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard !isAtEnd, poll(&item, 1, 0) > 0 else { return }
    var buffer = Bytes(repeating: 0, count: Self.chunk)
    let count = read(file, &buffer, buffer.count)
    if count > 0 {
      append(buffer[..<count])
    } else if count == 0 {
      isAtEnd = true
      if !rest.isEmpty { lines.append(rest) }
      rest = []
    } else if errno != EINTR {
      throw InputFile.failure(name)
    }
  }

  /// The next line, however long it takes; nil at the end.
  mutating func next() throws(CommandFailure) -> Bytes? {
    while lines.isEmpty, !isAtEnd {
      var item = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      poll(&item, 1, -1)
      try readIfReady()
    }
    return lines.isEmpty ? nil : lines.removeFirst()
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(rest + bytes[start..<end])
      rest = []
      start = end + 1
    }
    rest += bytes[start...]
  }
}
