/// What operations reach through their context: clients of services, clocks, files.
public protocol DependencyKey: Sendable {
  associatedtype Value: Sendable
  /// What workers use.
  static var liveValue: Value { get }
  /// What tests use unless they replace it; nil, the default, makes reaching it a failure.
  static var testValue: Value? { get }
  /// What `worker` and `run` use with `--preview`, as a device that is not connected; nil, the default,
  /// is the live one.
  static var previewValue: Value? { get }
}

extension DependencyKey {
  public static var testValue: Value? { nil }
  public static var previewValue: Value? { nil }
}

/// A dependency of operations that a command line can replace, as in
/// `myapp worker --set NumberService=http://localhost:9000`.
///
/// `myapp run` takes `--set` too, and `myapp describe --set` says whether they would take it; each may have
/// several.
/// The application lists it in `configurableDependencies`; its name there is the type's.
public protocol ConfigurableDependencyKey: DependencyKey {
  /// The value that a text stands for.
  /// - Throws: why it stands for none; the process does not start then.
  static func configured(by text: String) throws -> Value
}

/// The values of dependencies; what was not replaced is live.
public struct DependencyValues: Sendable {
  private enum Kind: Sendable {
    case live, preview
    /// Told the name of a key that would be live.
    case test(@Sendable (String) -> Void)
  }

  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// What a command line says, which comes before all else.
  private var configured: [ObjectIdentifier: any Sendable] = [:]
  private var kind = Kind.live

  public init() {}

  /// Values for a test, where only what is replaced or has a `testValue` is to be reached.
  package static func test(reportLive: @escaping @Sendable (String) -> Void) -> DependencyValues {
    var values = DependencyValues()
    values.kind = .test(reportLive)
    return values
  }

  /// The same, but what has a `previewValue` is that.
  package var previewing: DependencyValues {
    var values = self
    values.kind = .preview
    return values
  }

  /// Replaces what one key stands for, by a text of the command line.
  package mutating func configure<Key: ConfigurableDependencyKey>(
    _ key: Key.Type, by text: String
  ) throws {
    configured[ObjectIdentifier(key)] = try Key.configured(by: text)
  }

  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      // First whether there is one: where `Value` is optional, what is not there casts to it as nil.
      if let any = configured[ObjectIdentifier(key)], let value = any as? Key.Value {
        return value
      }
      if case .preview = kind, let value = Key.previewValue { return value }
      if let any = values[ObjectIdentifier(key)], let value = any as? Key.Value {
        return value
      }
      guard case .test(let reportLive) = kind else { return Key.liveValue }
      if let value = Key.testValue { return value }
      reportLive(declaredName(of: key))
      return Key.liveValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
