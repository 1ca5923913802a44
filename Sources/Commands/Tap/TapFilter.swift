package import Machines

/// Which records a tap shows: paths, kinds and names, each also as an exclusion.
package struct TapFilter: Sendable {
  private struct Terms: Sendable {
    var paths: [Glob] = []
    var kinds: Set<String> = []
    var names: [Glob] = []
  }

  /// Paths as they were typed, of those that are wanted.
  package private(set) var paths: [String] = []

  private var wanted = Terms()
  private var excluded = Terms()

  package init(_ words: [String]) throws(CommandFailure) {
    for word in words {
      let isExclusion = word.hasPrefix("!")
      let text = String(isExclusion ? word.dropFirst() : word[...])
      guard !text.isEmpty else {
        throw CommandFailure(
          .usage, "PS-F01", "an empty filter", "A filter is a path, a kind or a name.",
          "See: penstock tap --help")
      }
      var terms = isExclusion ? excluded : wanted
      if text.hasPrefix("/") {
        if !isExclusion { paths.append(text) }
        terms.paths += [Glob(text), Glob(text == "/" ? "/**" : text + "/**")]
      } else if TapKind(rawValue: text) != nil {
        terms.kinds.insert(text)
      } else if let allowed = "=<>~|&()".first(where: text.contains) {
        throw CommandFailure(
          .usage, "PS-F02", "\"\(allowed)\" has no meaning in the filter \"\(word)\"",
          "A filter is a path (/targets), a kind (action, effect, process) or a name (probe*).",
          "For more, filter the JSON: penstock tap --json | jq 'select(.lat > 5000)'")
      } else {
        terms.names.append(Glob(text))
      }
      if isExclusion { excluded = terms } else { wanted = terms }
    }
  }

  /// The kinds to subscribe to.
  package var kinds: [TapKind] {
    TapKind.allCases.filter {
      (wanted.kinds.isEmpty || wanted.kinds.contains($0.rawValue) || $0 == .gap)
        && !(excluded.kinds.contains($0.rawValue) && $0 != .gap)
    }
  }

  package func matches(_ record: JSONValue) -> Bool {
    let kind = record["k"].text ?? ""
    if kind == TapKind.gap.rawValue { return true }
    let path = record["path"].text ?? record["name"].text ?? "/"
    let name = record["type"].text ?? record["operation"].text ?? record["state"].text ?? ""
    if excluded.kinds.contains(kind) || excluded.paths.contains(where: { $0.matches(path) })
      || excluded.names.contains(where: { $0.matches(name) })
    {
      return false
    }
    return (wanted.kinds.isEmpty || wanted.kinds.contains(kind))
      && (wanted.paths.isEmpty || wanted.paths.contains { $0.matches(path) })
      && (wanted.names.isEmpty || wanted.names.contains { $0.matches(name) })
  }
}
