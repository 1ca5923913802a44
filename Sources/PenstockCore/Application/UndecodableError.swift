/// A payload or a state that the node's types do not accept.
package struct UndecodableError: Error, Equatable, Sendable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
