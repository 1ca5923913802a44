import Glibc

/// Lines on standard error, or in a file: `level name message key=value`. Whoever keeps them adds the time. Payloads
/// are never written, only paths, numbers, sizes.
package struct Log: Sendable {
  package enum Level: String, Sendable {
    case error, warning, info
  }

  private let name: String
  private let file: Int32

  /// - Parameters:
  ///   - name: the process: `router`, `/targets`, `worker-1`.
  ///   - file: where it writes; whoever opened it keeps it open.
  package init(name: String, file: Int32 = STDERR_FILENO) {
    self.name = name
    self.file = file
  }

  package func error(_ message: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.error, message, values)
  }

  package func warning(_ message: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.warning, message, values)
  }

  package func info(_ message: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.info, message, values)
  }

  private func write(_ level: Level, _ message: String, _ values: KeyValuePairs<String, String>) {
    let line = Log.line(level, name, message, values)
    // One write, so that lines of several threads don't mix.
    _ = Glibc.write(file, line, line.utf8.count)
  }

  package static func line(
    _ level: Level, _ name: String, _ message: String, _ values: KeyValuePairs<String, String>
  ) -> String {
    var line = "\(level.rawValue) \(name) \(oneLine(message))"
    for (key, value) in values { line += " \(key)=\(quoted(value))" }
    return line + "\n"
  }

  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
    return String(text.map { $0.isNewline ? " " : $0 }).printable
  }

  private static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && value.utf8.allSatisfy {
        $0 > 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != UInt8(ascii: "\"")
          && $0 != UInt8(ascii: "=")
      }
    return isPlain ? value : "\"" + oneLine(value).replacing("\"", with: "'") + "\""
  }
}
