/// How an operation's output becomes an action of its owner: `{"response":{"success":OUT}}`.
public struct OutputCase: Hashable, Sendable {
  /// Wire names of the cases around the output, outermost first.
  public var cases: [String]
  /// True when the innermost case holds an `Outcome`, so that failures arrive there too.
  public var isOutcome: Bool

  public init(cases: [String], isOutcome: Bool) {
    self.cases = cases
    self.isOutcome = isOutcome
  }
}
