/// What `$destination` of a field that is marked with `@Presents` is: a way to name the field.
public struct Presented<State: JSONCodable>: Equatable, Sendable {
  public var wrappedValue: State?

  public init(_ wrappedValue: State?) { self.wrappedValue = wrappedValue }
}

struct PresentedAccess<Parent: JSONCodable, Child: JSONCodable>: StateAccess {
  let keyPath: any WritableKeyPath<Parent, Presented<Child>> & Sendable

  func read(_ parent: Parent) -> Child? { parent[keyPath: keyPath].wrappedValue }

  func modify<Result>(
    _ parent: inout Parent, _ body: (inout Child) throws(UndecodableError) -> Result
  ) throws(UndecodableError) -> Result? {
    guard parent[keyPath: keyPath].wrappedValue != nil else { return nil }
    return try body(&parent[keyPath: keyPath].wrappedValue!)
  }

  func remove(_ parent: inout Parent) { parent[keyPath: keyPath].wrappedValue = nil }
}
