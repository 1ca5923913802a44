/// Help as text, from the table.
package enum HelpText {
  static let width = 80

  package static func of(_ name: Command.Name?) -> String {
    name.map { command(CommandTable.command($0)) } ?? overview()
  }

  package static func usage(of command: Command) -> String {
    ["penstock", command.name.rawValue, "[OPTIONS]", command.usage]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func overview() -> String {
    var lines = [
      "penstock: look into a running Penstock application, and talk to it", "",
      "Usage: penstock [OPTIONS] COMMAND [ARGUMENTS]", "", "Commands",
    ]
    lines += rows(CommandTable.commands.map { ($0.name.rawValue, $0.summary) })
    lines += ["", "Options, before or after the command"]
    lines += rows(CommandTable.globals.map { (spelling($0), $0.summary) })
    lines += [
      "", "Exit codes",
      "  0 done · 1 negative answer · 2 usage · 3 not running · 4 no such name · 5 timed out",
      "  6 refused · 7 other protocol · 70 bug", "",
      "Processes are started and stopped by Deploy/supervisor.", "",
    ]
    return lines.joined(separator: "\n")
  }

  private static func command(_ command: Command) -> String {
    var lines = [command.summary, "", "Usage: \(usage(of: command))"]
    for paragraph in command.details { lines += [""] + wrapped(paragraph, width: width) }
    if !command.options.isEmpty {
      lines += ["", "Options"] + rows(command.options.map { (spelling($0), $0.summary) })
    }
    lines += ["", "Options of all commands"]
    lines += rows(command.globals.map { (spelling($0), $0.summary) })
    if !command.examples.isEmpty {
      lines += ["", "Examples"] + command.examples.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func spelling(_ option: Option) -> String {
    let names = option.spellings.joined(separator: ", ")
    let indented = option.spellings[0].hasPrefix("--") ? "    \(names)" : names
    return option.value.map { "\(indented) \($0)" } ?? indented
  }

  private static func rows(_ rows: [(name: String, summary: String)]) -> [String] {
    let column = (rows.map(\.name.count).max() ?? 0) + 2
    return rows.flatMap { row in
      wrapped(row.summary, width: width - column - 2).enumerated().map { index, line in
        let name = index == 0 ? row.name : ""
        return "  " + name + String(repeating: " ", count: column - name.count) + line
      }
    }
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
