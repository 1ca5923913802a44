/// One command, as parser and help see it.
package struct Command: Hashable, Sendable {
  /// What runs; a command in the table can't be without an implementation.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case `init`, tap, send, state, ps, ready, trace, effects, quarantine, simulate, compare, verify
    case export, journal, checkpoint, help
  }

  package var name: Name
  /// The words after the options, as in the usage line.
  package var usage: String
  /// How many words it takes.
  package var words: ClosedRange<Int>
  package var summary: String
  /// Paragraphs of the command's own help.
  package var details: [String]
  package var options: [Option]
  package var examples: [String]

  /// Those of all commands, without what this one has of its own.
  package var globals: [Option] {
    let own = Set(options.flatMap(\.spellings))
    return CommandTable.globals.filter { own.isDisjoint(with: $0.spellings) }
  }
}
