/// A way into one case of an enum: puts a value into the case and gets it out again.
@dynamicMemberLookup
public struct CasePath<Root, Value>: Sendable {
  /// Wire names around the value, outermost first: the case, and the label of a labelled value.
  public let names: [String]
  private let embedValue: @Sendable (Value) -> Root
  private let extractValue: @Sendable (Root) -> Value?

  public init(
    names: [String], embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.names = names
    embedValue = embed
    extractValue = extract
  }

  public func embed(_ value: Value) -> Root { embedValue(value) }
  public func extract(from root: Root) -> Value? { extractValue(root) }

  /// `\.login.reset`: a case of what this case holds.
  public subscript<Inner>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, CasePath<Value, Inner>>
  ) -> CasePath<Root, Inner> where Value: CasePathable {
    let inner = Value.allCasePaths[keyPath: keyPath]
    let outer = self
    return CasePath<Root, Inner>(
      names: names + inner.names,
      embed: { outer.embed(inner.embed($0)) },
      extract: { outer.extract(from: $0).flatMap(inner.extract(from:)) })
  }
}

/// `\.response`, `\.login.reset`: names a case of `Root`.
public typealias CaseKeyPath<Root: CasePathable, Value> =
  KeyPath<Root.AllCasePaths, CasePath<Root, Value>>

extension KeyPath {
  /// `(\Action.Cases.response)(value)`: the case with this value in it.
  public func callAsFunction<Enum: CasePathable, Inner>(_ value: Inner) -> Enum
  where Root == Enum.AllCasePaths, Value == CasePath<Enum, Inner> {
    Enum.allCasePaths[keyPath: self].embed(value)
  }

  public func callAsFunction<Enum: CasePathable>() -> Enum
  where Root == Enum.AllCasePaths, Value == CasePath<Enum, Void> {
    Enum.allCasePaths[keyPath: self].embed(())
  }
}
