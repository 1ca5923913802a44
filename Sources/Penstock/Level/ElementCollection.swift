/// A collection whose elements are mounts.
package protocol ElementCollection: JSONCodable {
  associatedtype ID: CanonicalID
  associatedtype ElementState: JSONCodable

  /// Member names from the encoded collection to the object of its elements.
  static var members: [String] { get }

  init()
  var ids: OrderedSet<ID> { get }
  subscript(id id: ID) -> ElementState? { get set }
  /// Changes an element in place; nil when there is none of this id.
  mutating func update<R, E: Error>(
    id: ID, _ body: (inout ElementState) throws(E) -> R
  ) throws(E) -> R?
}

extension IdentifiedArray: ElementCollection where Element: JSONCodable {
  package typealias ElementState = Element
  package static var members: [String] { [] }
}
