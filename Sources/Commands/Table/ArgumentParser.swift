/// Reads arguments by the table, as GNU programs do: options stand anywhere, `--` ends them.
package struct ArgumentParser: Sendable {
  package enum Result: Hashable, Sendable {
    case help(Command.Name?)
    case version
    case run(Invocation)
  }

  private var arguments: [String]
  private var words: [String] = []
  private var options: [String: [String]] = [:]
  private var command: Command?

  private init(_ arguments: [String]) { self.arguments = arguments }

  package static func parse(_ arguments: [String]) throws(CommandFailure) -> Result {
    var parser = ArgumentParser(arguments)
    return try parser.run()
  }

  private mutating func run() throws(CommandFailure) -> Result {
    // Help wins over whatever else is wrong with the line.
    let visible = arguments.prefix { $0 != "--" }
    if visible.contains(where: { $0 == "-h" || $0 == "--help" }) {
      let named = visible.lazy.compactMap { Command.Name(rawValue: $0) }.first { $0 != .help }
      return .help(named)
    }
    if visible.contains("--version") { return .version }
    try readCommand()
    guard let command else { throw missingCommand() }
    while let argument = arguments.first {
      arguments.removeFirst()
      if argument == "--" {
        words += arguments
        arguments = []
      } else if argument.hasPrefix("--") {
        try readLong(argument, of: command)
      } else if argument.hasPrefix("-"), argument.count > 1 {
        try readShort(argument, of: command)
      } else {
        words.append(argument)
      }
    }
    if command.name == .help {
      guard let word = words.first else { return .help(nil) }
      guard let name = Command.Name(rawValue: word) else { throw unknownCommand(word) }
      return .help(name)
    }
    guard command.words.contains(words.count) else {
      let what = words.count < command.words.lowerBound ? "too few" : "too many"
      throw CommandFailure(
        .usage, "PS-A02", "\(what) arguments", "Usage: \(HelpText.usage(of: command))")
    }
    return .run(Invocation(command: command, words: words, options: options))
  }

  /// Finds the command: the first word that is no option and no option's value.
  private mutating func readCommand() throws(CommandFailure) {
    var index = 0
    while index < arguments.count, arguments[index] != "--" {
      let argument = arguments[index]
      if argument.hasPrefix("-"), argument.count > 1 {
        let option = CommandTable.globals.first {
          ($0.spellings + $0.synonyms).contains(argument)
        }
        index += option?.value == nil ? 1 : 2
      } else {
        guard let name = Command.Name(rawValue: argument) else { throw unknownCommand(argument) }
        command = CommandTable.command(name)
        arguments.remove(at: index)
        return
      }
    }
  }

  private mutating func readLong(_ argument: String, of command: Command) throws(CommandFailure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    let option = try find(spelling, of: command)
    if parts.count == 2, option.value == nil {
      throw CommandFailure(.usage, "PS-A03", "\(spelling) takes no value")
    }
    let given = parts.count == 2 ? String(parts[1]) : nil
    try store(option, spelling: spelling, given: given)
  }

  /// `-c 5`, `-c5`, or several flags in one: `-vv`.
  private mutating func readShort(_ argument: String, of command: Command) throws(CommandFailure) {
    var rest = argument.dropFirst()
    while let letter = rest.popFirst() {
      let spelling = "-\(letter)"
      let option = try find(spelling, of: command)
      if option.value == nil {
        try store(option, spelling: spelling, given: nil)
      } else {
        try store(option, spelling: spelling, given: rest.isEmpty ? nil : String(rest))
        return
      }
    }
  }

  private mutating func store(
    _ option: Option, spelling: String, given: String?
  ) throws(CommandFailure) {
    var value = given ?? ""
    if option.value != nil, given == nil {
      guard !arguments.isEmpty else {
        throw CommandFailure(.usage, "PS-A03", "\(spelling) needs a value")
      }
      value = arguments.removeFirst()
    }
    if !option.choices.isEmpty, !option.choices.contains(value) {
      throw CommandFailure(
        .usage, "PS-A04", "\(spelling) does not know \"\(value)\"",
        "It takes \(option.choices.joined(separator: ", "))")
    }
    options[option.name, default: []].append(value)
  }

  private func find(_ spelling: String, of command: Command) throws(CommandFailure) -> Option {
    let all = command.options + command.globals
    if let option = all.first(where: { $0.spellings.contains(spelling) }) { return option }
    let near =
      all.first { $0.synonyms.contains(spelling) }?.spellings.joined(separator: ", ")
      ?? EditDistance.nearest(to: spelling, in: all.flatMap(\.spellings))
    throw CommandFailure(
      .usage, "PS-A01", "unknown option \(spelling)",
      near.map { "Did you mean \($0)?" } ?? "Try: penstock \(command.name.rawValue) --help")
  }

  private func missingCommand() -> CommandFailure {
    CommandFailure(.usage, "PS-A00", "no command", "Try: penstock --help")
  }

  private func unknownCommand(_ word: String) -> CommandFailure {
    let near = EditDistance.nearest(to: word, in: Command.Name.allCases.map(\.rawValue))
    return CommandFailure(
      .usage, "PS-A00", "unknown command \"\(word)\"",
      near.map { "Did you mean \($0)?" } ?? "Try: penstock --help")
  }
}
