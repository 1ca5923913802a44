/// An enum whose cases have case paths. `@CasePathable` writes the conformance; `@Reducer` adds it
/// to `Action`, `@ObservableState` to an enum.
public protocol CasePathable: Sendable {
  /// Has one property per case, of the case's name.
  associatedtype AllCasePaths: Sendable
  static var allCasePaths: AllCasePaths { get }
  /// Wire names of the cases of an action that only the feature itself and its effects may send:
  /// those marked `@Internal`.
  static var internalCases: [String] { get }
  /// Wire names of the cases that hold a child's actions, also behind another name of the type.
  static var childCases: [String] { get }
  /// Wire names of the cases that hold a `BindingAction`.
  static var bindingCases: [String] { get }
}

extension CasePathable {
  public static var internalCases: [String] { [] }
  public static var childCases: [String] { [] }
  public static var bindingCases: [String] { [] }
}

extension CasePathable {
  /// `\Action.Cases.response`: a case key path where no context says the root.
  public typealias Cases = AllCasePaths

  /// Whether the value is of the case.
  public func `is`<Value>(_ keyPath: CaseKeyPath<Self, Value>) -> Bool {
    Self.allCasePaths[keyPath: keyPath].extract(from: self) != nil
  }

  /// What the case holds; nil when the value is of another case.
  public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value? {
    Self.allCasePaths[keyPath: keyPath].extract(from: self)
  }

  /// Changes what the case holds in place; nil when the value is of another case.
  @discardableResult
  public mutating func modify<Value, Result>(
    _ keyPath: CaseKeyPath<Self, Value>, _ body: (inout Value) throws -> Result
  ) rethrows -> Result? {
    let path = Self.allCasePaths[keyPath: keyPath]
    guard var value = path.extract(from: self) else { return nil }
    let result = try body(&value)
    self = path.embed(value)
    return result
  }
}
