import Penstock
import Testing

@Reducer
struct Described {
  struct State {
    var stored = Counter.State()
    var rows: IdentifiedArrayOf<Counter.State> = []
    var computed: Counter.State {
      get { stored }
      set { stored = newValue }
    }
  }

  enum Action {
    case stored(Counter.Action)
    case computed(Counter.Action)
    case rows(IdentifiedAction<Int, Counter.Action>)
  }

  var isVerbose = false

  var body: some ReducerOf<Self> {
    Scope(state: \.stored, action: \.stored) { Counter() }
    Scope(state: \.computed, action: \.computed) { Counter() }
    Reduce(observing: \.stored.increment) { _, _ in .none }
      .forEach(\.rows, action: \.rows) { Counter() }
    if isVerbose {
      Reduce { _, _ in .none }
    }
    for _ in 0..<2 {
      EmptyReducer()
    }
  }
}

struct DescriptionTests {
  let application = Application(TestApp(Described(), Described.State()))

  @Test("Levels list themselves without running")
  func levels() {
    let description = application.description
    #expect(
      description.levels.map { "\($0.path) \($0.kind.rawValue) \($0.statePath) \($0.hasLogic)" }
        == [
          "/ root [] true",
          #"/stored scope ["stored"] true"#,
          "/computed scope [] true",
          #"/rows/* collection ["rows", "*"] true"#,
        ])
    #expect(description.levels[0].observes == [["stored", "increment"]])
    #expect(description.levels[1].observes == nil)
    #expect(description.slowTypes == [])
    #expect(description.operations == description.operations.sorted())
    #expect(description.operations.contains("NumberFact"))
  }

  @Test("Logic that observes everything makes its level observe everything (R15)")
  func verbose() {
    let verbose = Application(TestApp(Described(isVerbose: true), Described.State()))
    #expect(verbose.description.levels[0].observes == nil)
    #expect(verbose.description.schemaHash == application.description.schemaHash)
  }

  @Test("What can't be placed is refused with the reason (R12)")
  func obstacles() {
    func message(_ path: String) -> String? {
      do {
        _ = try application.node(at: Path(path)!, placement: [])
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(message("/stored") == nil)
    #expect(
      message("/computed") == """
        /computed can't be placed: its state is computed, so it runs inside its parent: only a \
        stored field can be placed
        """)
    #expect(
      message("/rows/7") == """
        /rows/7 can't be placed: it is an element of a collection, and those run where their \
        collection does
        """)
    #expect(message("/nowhere") == "There is no feature at /nowhere")
  }

  @Test("A scope over computed state is patched by its parent")
  func computed() throws {
    let node = try application.node(at: .root, placement: [.root])
    func run<Program: NodeProgram>(_ program: Program) throws -> Patch {
      var state = try program.decode(Array("{}".utf8))
      return try program.reduce(
        &state,
        StageInput(
          sequence: 1, path: Path("/computed")!, payload: Array(#""increment""#.utf8), now: 0,
          seed: 0)
      ).patch
    }
    #expect(
      try run(node).operations == [
        PatchOperation(path: ["stored", "count"], change: .set(Array("1".utf8)))
      ])
  }

  @Test("The schema's hash tells other states and actions")
  func schema() {
    let other = Application(TestApp(Counter(), Counter.State()))
    #expect(other.description.schemaHash != application.description.schemaHash)
    #expect(
      Application(TestApp(Described(), Described.State())).description.schemaHash
        == application.description.schemaHash)
  }

  @Test(
    "An action that is not addressed canonically is refused, and the description knows better (R12)"
  )
  func canonical() throws {
    let payload = Array(#"{"stored":"increment"}"#.utf8)
    let node = try application.node(at: .root, placement: [.root])
    func run<Program: NodeProgram>(_ program: Program) throws {
      var state = try program.decode(Array("{}".utf8))
      _ = try program.reduce(
        &state, StageInput(sequence: 1, path: .root, payload: payload, now: 0, seed: 0))
    }
    let error = #expect(throws: UndecodableError.self) { try run(node) }
    #expect(error?.description == "The action at / belongs to /stored")
    let found = try #require(application.description.canonical(.root, payload))
    #expect(found.path == Path("/stored"))
    #expect(found.payload == Array(#""increment""#.utf8))
  }

  @Test(
    "The description says which field a binding sets (C-13)",
    arguments: [
      (#"{"binding":{"name":"x"}}"#, "binding.name"),
      (#" {"binding": {"na\u006de":1}}"#, "binding.name"),
      (#"{"child":{"name":"x"}}"#, nil), (#""tap""#, nil), (#"{"binding":7}"#, nil),
    ] as [(String, String?)])
  func boundField(payload: String, field: String?) throws {
    let bound = Application(TestApp(Gaps(), Gaps.State()))
    #expect(bound.description.levels[0].bindings == ["binding"])
    #expect(bound.boundField(.root, Array(payload.utf8)) == field)
    let read = try JSONReader.decode(
      ApplicationDescription.self, from: JSONWriter.bytes(of: bound.description))
    #expect(read == bound.description)
    #expect(application.boundField(.root, Array(payload.utf8)) == nil)
  }
}
