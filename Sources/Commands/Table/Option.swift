/// One option of a command, as parser and help see it.
package struct Option: Hashable, Sendable {
  /// All spellings, the long one last: `-c`, `--count`.
  package var spellings: [String]
  /// What stands for the value in the help; nil for a flag.
  package var value: String?
  package var summary: String
  /// The values that it takes, when they are few.
  package var choices: [String]
  /// What people of other programs type for it: not understood, but the error names this one.
  package var synonyms: [String]
  /// Whether it may stand more than once.
  package var isRepeatable: Bool

  package init(
    _ spellings: String..., value: String? = nil, choices: [String] = [],
    synonyms: [String] = [], isRepeatable: Bool = false, help summary: String
  ) {
    self.spellings = spellings
    self.value = value
    self.choices = choices
    self.synonyms = synonyms
    self.isRepeatable = isRepeatable
    self.summary = summary
  }

  /// The name under which an invocation holds it: the last spelling without dashes.
  package var name: String { String((spellings.last ?? "").drop { $0 == "-" }) }
}
