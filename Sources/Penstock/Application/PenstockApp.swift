/// An application: its root feature, how that begins, and the operations that its workers run.
public protocol PenstockApp: Sendable {
  associatedtype Root: Reducer

  static var name: String { get }
  /// The operations that workers serve.
  static var operations: [any WorkerOperation.Type] { get }
  /// Dependencies of operations that `--set NAME=TEXT` of `worker` and `run` can replace; `describe` says
  /// whether they would.
  static var configurableDependencies: [any ConfigurableDependencyKey.Type] { get }

  var root: Root { get }
  /// Made once, for record 0 (R1); may read `@Dependency`.
  var initialState: Root.State { get }
  /// What may happen in a simulation (`APP simulate`).
  var samples: [Sample<Root.Action>] { get }

  init()
}

extension PenstockApp {
  public static var operations: [any WorkerOperation.Type] { [] }
  public static var configurableDependencies: [any ConfigurableDependencyKey.Type] { [] }
  public var samples: [Sample<Root.Action>] { [] }

  /// The application without its types.
  package var program: Application<Self> { Application(self) }
}
