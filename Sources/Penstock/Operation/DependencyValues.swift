/// What operations reach through their context: clients of services, clocks, files.
public protocol DependencyKey: Sendable {
  associatedtype Value: Sendable
  /// What workers use.
  static var liveValue: Value { get }
}

/// The values of dependencies; what was not replaced is live.
public struct DependencyValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  public init() {}

  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get { (values[ObjectIdentifier(key)] as? Key.Value) ?? Key.liveValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
