package import Platform
package import PenstockCore

/// A command line that was understood.
package struct ParsedArguments: Sendable {
  private let command: ProcessCommand
  package internal(set) var words: [String] = []
  var values: [String: [String]] = [:]

  init(command: ProcessCommand) { self.command = command }

  /// The last value given.
  package subscript(name: String) -> String? { values[name]?.last }

  package func has(_ name: String) -> Bool { values[name] != nil }

  /// All values given, in order.
  package func all(_ name: String) -> [String] { values[name] ?? [] }

  package func number<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = self[name] else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw UsageError(
        "\(name) \(text) is not a number from \(range.lowerBound) to \(range.upperBound)",
        command.usage)
    }
    return number
  }

  package func paths(_ name: String) throws(UsageError) -> [Path] {
    var paths: [Path] = []
    for text in values[name] ?? [] { paths.append(try path(text)) }
    return paths
  }

  package func path(_ text: String) throws(UsageError) -> Path {
    guard let path = Path(text) else {
      throw UsageError("\"\(text)\" is not a path such as / or /targets", command.usage)
    }
    return path
  }

  package func runDirectory(application: String) -> RunDirectory {
    self["--run-dir"].map { RunDirectory(path: $0) }
      ?? RunDirectory.standard(application: application)
  }

  /// Ties the process to its supervisor; call it before any thread begins.
  package func supervision() throws -> Supervision {
    try Supervision(
      readyDescriptor: number("--ready-fd", in: 0...Int32(65_535)),
      lifelineDescriptor: number("--lifeline-fd", in: 0...Int32(65_535)))
  }
}
