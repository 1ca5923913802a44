/// What operations reach through their context: clients of services, clocks, files.
public protocol DependencyKey: Sendable {
  associatedtype Value: Sendable
  /// What workers use.
  static var liveValue: Value { get }
  /// What tests use unless they replace it; nil, the default, makes reaching it a failure.
  static var testValue: Value? { get }
}

extension DependencyKey {
  public static var testValue: Value? { nil }
}

/// The values of dependencies; what was not replaced is live.
public struct DependencyValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// In a test: told the name of a key that would be live.
  private var reportLive: (@Sendable (String) -> Void)?

  public init() {}

  /// Values for a test, where only what is replaced or has a `testValue` is to be reached.
  package static func test(reportLive: @escaping @Sendable (String) -> Void) -> DependencyValues {
    var values = DependencyValues()
    values.reportLive = reportLive
    return values
  }

  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if let value = values[ObjectIdentifier(key)] as? Key.Value { return value }
      guard let reportLive else { return Key.liveValue }
      if let value = Key.testValue { return value }
      reportLive(declaredName(of: key))
      return Key.liveValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
