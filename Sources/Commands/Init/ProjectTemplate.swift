/// The files of a small application: one feature, one operation, a test, and how to run it.
package struct ProjectTemplate {
  private let name: String
  /// The name as Swift writes types: `my-app` is `MyApp`.
  private let type: String
  private let repository: String

  /// - Parameter repository: where Penstock is; the manifest names it, whatever that directory is called.
  /// - Returns: nil when the name can't be one of a package.
  package init?(name: String, repository: String) {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    let isName = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard isName, name.first?.isLetter == true else { return nil }
    self.name = name
    type = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    self.repository = repository
  }

  package var targets: [String] { [name, "\(type)Feature", "\(type)FeatureTests"] }

  package var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest),
      ("README.md", readme),
      ("Sources/\(type)Feature/Fact.swift", feature),
      ("Sources/\(type)Feature/NumberFact.swift", operation),
      ("Sources/\(type)Feature/\(type)App.swift", application),
      ("Sources/\(name)/main.swift", main),
      ("Tests/\(type)FeatureTests/FactTests.swift", test),
      (".gitignore", ".build/\n"),
    ]
  }

  private var manifest: String {
    let package = "Penstock"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        dependencies: [.package(name: "\(package)", path: \(literal))],
        targets: [
          .target(
            name: "\(type)Feature",
            dependencies: [.product(name: "Penstock", package: "\(package)")]),
          .executableTarget(
            name: "\(name)",
            dependencies: ["\(type)Feature", .product(name: "Penstock", package: "\(package)")]),
          .testTarget(
            name: "\(type)FeatureTests",
            dependencies: [
              "\(type)Feature", .product(name: "PenstockTesting", package: "\(package)"),
            ]),
        ])

      """
  }

  /// The path as Swift writes it.
  private var literal: String {
    let escaped = repository.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] }
    return "\"\(String(escaped))\""
  }

  private var feature: String {
    """
    import Penstock

    /// A number, and what there is to say about it.
    @Reducer
    public struct Fact {
      public struct State {
        public var number = 0
        public var fact: String? = nil
        public var isLoading = false

        public init() {}
      }

      public enum Action {
        case numberChanged(Int)
        case askTapped
        case response(Outcome<String>)
      }

      public init() {}

      public var body: some ReducerOf<Self> {
        Reduce { state, action in
          switch action {
          case .numberChanged(let number):
            state.number = number
            return .none
          case .askTapped:
            state.isLoading = true
            return .run(NumberFact(number: state.number), to: \\.response).timeout(.seconds(5))
          case .response(let outcome):
            state.isLoading = false
            if case .success(let fact) = outcome { state.fact = fact }
            return .none
          }
        }
      }
    }

    """
  }

  private var operation: String {
    """
    import Penstock

    /// Runs in a worker. Its fields are its input; what it returns or throws becomes an action.
    @Operation
    public struct NumberFact {
      public var number: Int

      public init(number: Int) { self.number = number }

      public func run(_ context: OperationContext) async throws -> String {
        "\\(number) is \\(number.isMultiple(of: 2) ? "even" : "odd")"
      }
    }

    """
  }

  private var application: String {
    """
    import Penstock

    public struct \(type)App: PenstockApp {
      public static let name = "\(name)"
      /// Every operation has to be listed: workers run no other.
      public static let operations: [any WorkerOperation.Type] = [NumberFact.self]

      public var root: Fact { Fact() }
      public var initialState: Fact.State { Fact.State() }

      public init() {}
    }

    """
  }

  private var main: String {
    """
    import \(type)Feature
    import Penstock
    import PenstockRuntime

    ApplicationMain.run(\(type)App())

    """
  }

  private var test: String {
    """
    import \(type)Feature
    import Penstock
    import PenstockTesting
    import Testing

    @Test func `a question is answered`() async {
      let store = TestStore(
        initialState: Fact.State(), operations: \(type)App.operations
      ) { Fact() }
      await store.send(.numberChanged(7)) { $0.number = 7 }
      await store.send(.askTapped) { $0.isLoading = true }
      await store.receive(effect: NumberFact(number: 7), answer: .output("7 is odd"))
      await store.receive(\\.response.success, "7 is odd") {
        $0.isLoading = false
        $0.fact = "7 is odd"
      }
    }

    @Test func `the operation says what kind of number it is`() async {
      #expect(await NumberFact(number: 8).trial { _ in }.outputs == ["8 is even"])
    }

    """
  }

  private var readme: String {
    """
    # \(name)

    An application of Penstock: one feature (`Fact`), one operation that a worker runs (`NumberFact`).

    ```sh
    swift build
    swift test
    PATH=$(\(repository.shellWord)/Deploy/build penstock penstock-router):$PATH   # the first time takes minutes
    ```

    Everything in one process, and from another terminal `penstock`, as below:

    ```sh
    .build/debug/\(name) run
    ```

    Or each feature and each worker a process, kept alive by the supervisor:

    ```sh
    \(repository.shellWord)/Deploy/supervisor up .build/debug/\(name)
    penstock send / numberChanged 7
    penstock send / askTapped --wait
    penstock state
    penstock ps --tree
    \(repository.shellWord)/Deploy/supervisor down
    ```

    The order of all actions is kept in a journal, so the state is there again at the next start. A build
    whose State is encoded otherwise is refused until the State's `version` is raised (the article on
    versions of a state); other actions need only a planned stop, `down`.

    `penstock --help` lists what else there is. The articles on writing and testing features are in
    `\(repository)/Sources/Penstock/Penstock.docc`.

    """
  }
}
