import Penstock
import Testing

/// A state that contains itself is migrated at every depth (J-14).
struct RecursiveMigrationTests {
  @Reducer
  struct OldNote {
    struct State: Identifiable {
      var id: Int
      var name = ""
      var notes: IdentifiedArrayOf<OldNote.State> = []
    }
    indirect enum Action { case notes(IdentifiedAction<Int, OldNote.Action>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.notes, action: \.notes) { OldNote() }
    }
  }

  @Reducer
  struct Note {
    struct State: Identifiable {
      var id: Int
      var title = ""
      var notes: IdentifiedArrayOf<Note.State> = []

      static let version = 2

      static func migrate(_ fields: inout StoredFields, from version: Int) throws {
        fields.rename("name", to: "title")
      }
    }
    indirect enum Action { case notes(IdentifiedAction<Int, Note.Action>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.notes, action: \.notes) { Note() }
    }
  }

  @Test func `each note in a note gets its title`() throws {
    let inner = OldNote.State(id: 3, name: "three")
    let middle = OldNote.State(id: 2, name: "two", notes: [inner])
    let outer = OldNote.State(id: 1, name: "one", notes: [middle, OldNote.State(id: 4)])
    let old = Application(TestApp(OldNote(), outer))
    let new = Application(TestApp(Note(), Note.State(id: 0)))
    func migrate<Program: NodeProgram>(_ program: Program) throws -> String {
      let state = try program.migrate(JSONWriter.bytes(of: outer), from: old.description)
      return String(decoding: program.encode(state), as: UTF8.self)
    }
    #expect(
      try migrate(new.node(at: .root, placement: [.root])) == """
        {"id":1,"title":"one","notes":{"2":{"id":2,"title":"two","notes":{\
        "3":{"id":3,"title":"three","notes":{}}}},"4":{"id":4,"title":"","notes":{}}}}
        """)
  }

  /// Before it contained itself, a list had lines.
  @Reducer
  struct OldList {
    struct State: Identifiable {
      var id: Int
      var name = ""
      var notes: IdentifiedArrayOf<Line.State> = []
      static let version = 2
      static func migrate(_ fields: inout StoredFields, from version: Int) throws {}
    }
    enum Action { case notes(IdentifiedAction<Int, Line.Action>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.notes, action: \.notes) { Line() }
    }
  }

  @Reducer
  struct Line {
    struct State: Identifiable {
      var id: Int
      var text = ""
    }
    enum Action { case touch }
    var body: some ReducerOf<Self> { EmptyReducer() }
  }

  /// The lines became lists, whose names are what the lines said.
  @Reducer
  struct List {
    struct State: Identifiable {
      var id: Int
      var name = ""
      var notes: IdentifiedArrayOf<List.State> = []
      static let version = 2
      static func migrate(_ fields: inout StoredFields, from version: Int) throws {
        fields.rename("text", to: "name")
      }
    }
    indirect enum Action { case notes(IdentifiedAction<Int, List.Action>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.notes, action: \.notes) { List() }
    }
  }

  private func migrate(
    _ lines: OldList.State, from old: ApplicationDescription
  ) throws -> String {
    func migrate<Program: NodeProgram>(_ program: Program) throws -> String {
      let state = try program.migrate(JSONWriter.bytes(of: lines), from: old)
      return String(decoding: program.encode(state), as: UTF8.self)
    }
    let new = Application(TestApp(List(), List.State(id: 0)))
    return try migrate(new.node(at: .root, placement: [.root]))
  }

  private let lines = OldList.State(id: 1, name: "one", notes: [Line.State(id: 2, text: "two")])

  @Test func `what became the same as what is above it is migrated from its own version`() throws {
    let old = Application(TestApp(OldList(), OldList.State(id: 0))).description
    #expect(
      try migrate(lines, from: old) == """
        {"id":1,"name":"one","notes":{"2":{"id":2,"name":"two","notes":{}}}}
        """)
  }

  @Test(arguments: [2, 3])
  func `what became the same as what is above it and can't be migrated is refused`(
    version: Int
  ) throws {
    var old = Application(TestApp(OldList(), OldList.State(id: 0))).description
    old.levels[1].version = version
    let error = #expect(throws: UndecodableError.self) { try migrate(lines, from: old) }
    #expect(
      error?.description.contains(
        version == 2 ? "/notes/* (version 2): " : "/notes/* was stored by version 3") == true)
  }
}
