/// What a process can be asked to do, as parser and help see it.
package struct ProcessCommand: Sendable {
  package struct Option: Sendable {
    package var name: String
    /// What stands for its value in the help; nil for a flag.
    package var value: String?
    package var help: String

    package init(_ name: String, _ value: String? = nil, _ help: String) {
      self.name = name
      self.value = value
      self.help = help
    }
  }

  /// As typed: `penstock-router`, `uptime worker`.
  package var name: String
  /// The words besides options, as in the usage line.
  package var words: [String]
  package var summary: String
  package var options: [Option]

  package init(name: String, words: [String] = [], summary: String, options: [Option]) {
    self.name = name
    self.words = words
    self.summary = summary
    self.options = options
  }

  /// Options of every process that lives in a run directory.
  package static let common: [Option] = [
    Option("--run-dir", "DIR", "sockets and locks; default $XDG_RUNTIME_DIR/penstock/NAME"),
    Option("--ready-fd", "N", "descriptor that gets a line when the process is ready"),
    Option("--lifeline-fd", "N", "descriptor at whose end the process ends"),
  ]

  package var usage: String {
    (["usage: \(name)"] + words + ["[OPTIONS]"]).joined(separator: " ")
  }

  package var help: String {
    let rows = options.map { (name: $0.name + ($0.value.map { " \($0)" } ?? ""), help: $0.help) }
    let width = (rows.map(\.name.count).max() ?? 0) + 2
    let lines = rows.map { row in
      "  " + row.name + String(repeating: " ", count: width - row.name.count) + row.help
    }
    return ([usage, "", summary, ""] + lines).joined(separator: "\n") + "\n"
  }

  /// - Throws: `UsageError` that names the offending argument.
  package func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments(command: self)
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        parsed.words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = options.first(where: { $0.name == parts[0] }) else {
        throw UsageError("\(name) has no option \(parts[0])", usage)
      }
      guard option.value != nil else {
        guard parts.count == 1 else { throw UsageError("\(option.name) takes no value", usage) }
        parsed.values[option.name, default: []].append("")
        continue
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(option.name) needs a value: \(option.help)", usage)
      }
      parsed.values[option.name, default: []].append(value)
    }
    let mandatory = words.count { !$0.hasPrefix("[") }
    guard parsed.words.count >= mandatory else {
      throw UsageError("\(words[parsed.words.count]) is missing", usage)
    }
    guard parsed.words.count <= words.count else {
      throw UsageError("\"\(parsed.words[words.count])\" is one word too many", usage)
    }
    return parsed
  }
}
