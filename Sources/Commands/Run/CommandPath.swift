import PenstockCore

/// Paths as people type them.
enum CommandPath {
  static func read(_ text: String) throws(CommandFailure) -> Path {
    guard let path = Path(text) else {
      throw CommandFailure(
        .usage, "PS-A07", "\"\(text)\" is no path", "Such as / or /targets/rows/a",
        "In an id, / is written as %2F and % as %25")
    }
    return path
  }
}
