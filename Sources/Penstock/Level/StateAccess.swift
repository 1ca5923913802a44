/// How the state of a child that is there once, or not at all, is reached in its parent's.
package protocol StateAccess: Sendable {
  associatedtype Parent: JSONCodable
  associatedtype Child: JSONCodable

  func read(_ parent: Parent) -> Child?
  /// Changes the child in place; nil when there is none.
  func modify<Result>(
    _ parent: inout Parent, _ body: (inout Child) throws(UndecodableError) -> Result
  ) throws(UndecodableError) -> Result?
}

struct FieldAccess<Parent: JSONCodable, Child: JSONCodable>: StateAccess {
  let keyPath: any WritableKeyPath<Parent, Child> & Sendable

  func read(_ parent: Parent) -> Child? { parent[keyPath: keyPath] }

  func modify<Result>(
    _ parent: inout Parent, _ body: (inout Child) throws(UndecodableError) -> Result
  ) throws(UndecodableError) -> Result? { try body(&parent[keyPath: keyPath]) }
}

struct OptionalAccess<Parent: JSONCodable, Child: JSONCodable>: StateAccess {
  let keyPath: any WritableKeyPath<Parent, Child?> & Sendable

  func read(_ parent: Parent) -> Child? { parent[keyPath: keyPath] }

  func modify<Result>(
    _ parent: inout Parent, _ body: (inout Child) throws(UndecodableError) -> Result
  ) throws(UndecodableError) -> Result? {
    guard parent[keyPath: keyPath] != nil else { return nil }
    return try body(&parent[keyPath: keyPath]!)
  }

  func remove(_ parent: inout Parent) { parent[keyPath: keyPath] = nil }
}

/// A child that can be taken away.
protocol RemovableAccess: StateAccess {
  func remove(_ parent: inout Parent)
}

extension OptionalAccess: RemovableAccess {}
extension PresentedAccess: RemovableAccess {}

struct CaseAccess<Parent: JSONCodable & CasePathable, Child: JSONCodable>: StateAccess {
  let path: CasePath<Parent, Child>

  func read(_ parent: Parent) -> Child? { path.extract(from: parent) }

  func modify<Result>(
    _ parent: inout Parent, _ body: (inout Child) throws(UndecodableError) -> Result
  ) throws(UndecodableError) -> Result? {
    guard var child = path.extract(from: parent) else { return nil }
    let result = try body(&child)
    parent = path.embed(child)
    return result
  }
}
