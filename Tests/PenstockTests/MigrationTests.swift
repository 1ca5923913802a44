import Foundation
import Penstock
import Testing

/// States that an older version stored become present ones (J-14).
struct MigrationTests {
  @Reducer
  struct OldRow {
    struct State: Identifiable {
      var id: Int
      var name = ""
    }
    enum Action { case tap }
    var body: some ReducerOf<Self> { EmptyReducer() }
  }

  @Reducer
  struct OldRoot {
    struct State {
      var rows: IdentifiedArrayOf<OldRow.State> = []
      var sheet: OldRow.State?
      var count = 3
    }
    enum Action {
      case rows(IdentifiedAction<Int, OldRow.Action>)
      case sheet(OldRow.Action)
    }
    var body: some ReducerOf<Self> {
      EmptyReducer()
        .forEach(\.rows, action: \.rows) { OldRow() }
        .ifLet(\.sheet, action: \.sheet) { OldRow() }
    }
  }

  @Reducer
  struct Row {
    struct State: Identifiable {
      var id: Int
      var title = ""
      var length: Int

      static let version = 2

      static func migrate(_ fields: inout StoredFields, from version: Int) throws {
        let name: String = try fields.value("name") ?? ""
        fields.rename("name", to: "title")
        fields.set("length", to: name.count)
      }
    }
    enum Action { case tap }
    var body: some ReducerOf<Self> { EmptyReducer() }
  }

  @Reducer
  struct Root {
    struct State {
      var items: IdentifiedArrayOf<Row.State> = []
      var sheet: Row.State?
      var count: Int64 = 0

      static let version = 3

      static func migrate(_ fields: inout StoredFields, from version: Int) throws {
        #expect(version == 1 && fields.names == ["rows", "sheet", "count"])
        fields.rename("rows", to: "items")
        fields.remove("count")
      }
    }
    enum Action {
      case rows(IdentifiedAction<Int, Row.Action>)
      case sheet(Row.Action)
    }
    var body: some ReducerOf<Self> {
      EmptyReducer()
        .forEach(\.items, action: \.rows) { Row() }
        .ifLet(\.sheet, action: \.sheet) { Row() }
    }
  }

  @Reducer
  struct Unversioned {
    struct State { var rows = "", sheet = 0, count = 3 }
    enum Action { case tap }
    var body: some ReducerOf<Self> { EmptyReducer() }
  }

  private let old = Application(
    TestApp(
      OldRoot(),
      OldRoot.State(
        rows: [OldRow.State(id: 1, name: "one"), OldRow.State(id: 20, name: "twenty")])))

  private func migrate(_ application: any ApplicationProgram) throws -> String {
    func run<Program: NodeProgram>(_ program: Program) throws -> String {
      let state = try program.migrate(storedBytes(), from: old.description)
      return String(decoding: program.encode(state), as: UTF8.self)
    }
    return try run(application.node(at: .root, placement: [.root]))
  }

  private func storedBytes() throws -> Bytes {
    func run<Program: NodeProgram>(_ program: Program) throws -> Bytes {
      program.encode(try program.makeInitialState(now: 0, seed: 0))
    }
    return try run(old.node(at: .root, placement: [.root]))
  }

  @Test("Fields are renamed, removed and made, the parent's first; defaults do for the rest")
  func migrates() throws {
    let application = Application(TestApp(Root(), Root.State()))
    #expect(application.description.schemaHash != old.description.schemaHash)
    #expect(
      try migrate(application) == """
        {"items":{"1":{"id":1,"title":"one","length":3},\
        "20":{"id":20,"title":"twenty","length":6}},"sheet":null,"count":0}
        """)
    #expect(try migrate(old) == String(decoding: storedBytes(), as: UTF8.self))
  }

  @Test("Levels say how their own states are encoded, and in which version")
  func shapes() throws {
    let levels = Application(TestApp(Root(), Root.State())).description.levels
    #expect(levels.map(\.version) == [3, 2, 2])
    #expect(levels.map(\.shape)[0] == "{items:{*int:state},sheet:?state,count:int}")
    #expect(levels.map(\.shape)[1] == "{id:int,title:string,length:int}")
    let text = JSONWriter.bytes(of: levels[1])
    #expect(try JSONReader.decode(LevelDescription.self, from: text) == levels[1])
  }

  @Test("What changed without a version is said")
  func refused() throws {
    let application = Application(TestApp(Unversioned(), Unversioned.State()))
    #expect {
      try migrate(application)
    } throws: {
      "\($0)".contains(
        "/ (version 1): “rows” was {*int:state} and is string, “sheet” was ?state and is int. ")
    }
  }

  @Reducer
  enum Destination { case row(Row) }

  @Reducer
  struct Presenting {
    struct State { @Presents var destination: Destination.State? }
    enum Action { case destination(PresentationAction<Destination.Action>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().ifLet(\.$destination, action: \.destination)
    }
  }

  @Test("An enum of features has no version: its cases are part of the state that holds it")
  func enumeration() {
    let levels = Application(TestApp(Presenting(), Presenting.State())).description.levels
    #expect(levels.map(\.version) == [1, 1, 2])
    #expect(levels[0].shape == "{destination:?<|row _:state>}")
    #expect(levels[1].shape == "")
    #expect(levels[2].shape == "{id:int,title:string,length:int}")
  }

  @Test("A test says what becomes of a stored state")
  func stored() throws {
    let row = try Row.State(stored: #"{"id":1,"name":"one"}"#, version: 1)
    #expect(row == Row.State(id: 1, title: "one", length: 3))
    #expect(throws: JSONError.self) { try Row.State(stored: "[]", version: 1) }
  }

  @Test("The article's samples stand here")
  func article() throws {
    let file = URL(fileURLWithPath: #filePath)
    let article = file.deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Penstock/Penstock.docc/StateVersions.md")
    func plain(_ text: String) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: "\n")
    }
    let samples = try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .map { plain($0.components(separatedBy: "```")[0]) }
    let source = plain(try String(contentsOf: file, encoding: .utf8))
    #expect(samples.count == 2)
    for sample in samples { #expect(source.contains(sample)) }
  }

  @Test("A newer version's state is not read by an older one")
  func newer() throws {
    let new = Application(TestApp(Root(), Root.State()))
    func run<Program: NodeProgram>(_ program: Program) throws {
      _ = try program.migrate(Array("{}".utf8), from: new.description)
    }
    let node = try old.node(at: .root, placement: [.root])
    #expect {
      try run(node)
    } throws: {
      "\($0)".contains("/ was stored by version 3, this build has 1")
    }
  }
}
