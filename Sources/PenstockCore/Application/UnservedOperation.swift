/// An operation that was started though nobody serves it.
package struct UnservedOperation: CustomStringConvertible, Sendable {
  package var name: String
  package var path: Path
  /// What becomes of it, as `it waits`.
  package var consequence: String

  /// - Returns: nil for a timer, and for an operation that somebody serves.
  package init?(_ start: EffectStart, consequence: String, isServed: (String) -> Bool) {
    guard case .operation(let name, _, _, _) = start.kind, !isServed(name) else { return nil }
    self.name = name
    path = start.path
    self.consequence = consequence
  }

  package var description: String {
    """
    \(path) started the operation “\(name)”, and nobody serves it: \(consequence). Add its type to \
    the operations of the application, and start workers of that build.
    """
  }
}
