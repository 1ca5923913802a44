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
}
