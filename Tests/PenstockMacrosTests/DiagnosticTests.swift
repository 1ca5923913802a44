import Testing

/// Every diagnostic, in full: what is wrong and what to write instead.
struct DiagnosticTests {
  @Test(
    "A macro on the wrong declaration says where it belongs",
    arguments: [
      (
        "@Reducer class Feature {}",
        "error: @Reducer can only be applied to a struct that holds State, Action and body, or an enum of features"
      ),
      (
        "@ObservableState class State {}",
        "error: @ObservableState can only be applied to a struct or an enum, since states are values"
      ),
      (
        "@CasePathable struct Action {}",
        "error: @CasePathable can only be applied to an enum, such as a reducer's Action"
      ),
      (
        "@JSONCodable actor Model {}",
        "error: @JSONCodable can only be applied to a struct or an enum"
      ),
      (
        "@Operation enum Fetch {}",
        "error: @Operation can only be applied to a struct whose stored fields are the operation's input"
      ),
    ])
  func wrongDeclaration(source: String, message: String) {
    #expect(Expansion(source).diagnostics == [message])
  }

  @Test(
    "@Internal where nobody looks for it is said",
    arguments: [
      ("enum Action { enum View { @Internal case tap } }", ["View"]),
      ("enum Action { @CasePathable enum View { @Internal case tap } }", ["View"]),
      ("enum Action { @Internal case view(View) }", []),
      ("@Reducer enum Path { @Internal case a(A) }", []),
      ("@CasePathable enum CounterAction { @Internal case tap }", []),
    ] as [(String, [String])])
  func internalWithoutEffect(source: String, types: [String]) {
    #expect(
      Expansion(source).diagnostics
        == types.map {
          """
          error: @Internal has no effect in “\($0)”: only the cases of a feature's Action are looked at. \
          Mark the case of the Action that holds it
          """
        })
  }

  @Test("A reducer without its parts is told each of them")
  func missingParts() {
    #expect(
      Expansion("@Reducer struct Feature {}").diagnostics == [
        "error: “Feature” needs a State to be a reducer. Add it: struct State {}",
        "error: “Feature” needs an Action to be a reducer. Add it: enum Action {}",
        """
        error: “Feature” needs a body to be a reducer. Add it: \
        var body: some ReducerOf<Self> { Reduce { state, action in .none } }
        """,
      ])
  }

  @Test(
    "Stored sets and dictionaries in a state are warned of, with what to write",
    arguments: [
      ("var ids: Set<Int> = []", "ids", "Set", "OrderedSet<Int>"),
      ("var ids = Set<Int>()", "ids", "Set", "OrderedSet<Int>"),
      ("var ids: Set<Int>?", "ids", "Set", "OrderedSet<Int>"),
      (
        "var counts: [String: Int] = [:]", "counts", "Dictionary",
        "OrderedDictionary<String, Int>"
      ),
      (
        "var counts: Dictionary<String, Int> = [:]", "counts", "Dictionary",
        "OrderedDictionary<String, Int>"
      ),
    ])
  func unordered(field: String, name: String, type: String, replacement: String) {
    #expect(
      Expansion("@ObservableState struct State { \(field) }").diagnostics == [
        """
        warning: “\(name)” is a \(type), whose order differs in each process, so a replay could \
        give another state. Write \(replacement) instead
        """
      ])
  }

  @Test("Computed and static sets, and ordered ones, are no reason to warn")
  func ordered() {
    let expansion = Expansion(
      """
      @ObservableState struct State {
        static let all: Set<Int> = []
        var ids: OrderedSet<Int> = []
        var set: Set<Int> { Set(ids) }
      }
      """)
    #expect(expansion.diagnostics == [])
  }

  @Test("Overloaded cases can't be told apart")
  func duplicateCase() {
    #expect(
      Expansion("@CasePathable enum Action { case a(Int), a(text: String) }").diagnostics == [
        "error: Two cases have the wire name “a”. Rename one: overloaded cases can't be told apart"
      ])
  }

  @Test("An operation without run is told its signature")
  func missingRun() {
    #expect(
      Expansion("@Operation struct Fetch {}").diagnostics == [
        """
        error: “Fetch” needs run to be an operation. Add it: \
        func run(_ context: OperationContext) async throws -> String { … }
        """
      ])
  }
}
