import PenstockCore
import Simulation
import Testing

struct PatchTests {
  @Test("A difference turns the old state into the new one, with types and without")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 1)
    var state = TestState()
    var document = try JSONDocument(JSONWriter.bytes(of: state))
    var kinds: Set<String> = []
    for _ in 0..<20_000 {
      let old = state
      state.mutate(using: &random)
      let patch = TestState.patch(from: old, to: state)
      var patched = old
      try patched.apply(patch)
      try #require(patched == state)
      try document.apply(patch)
      try #require(document.encode() == JSONWriter.bytes(of: state))
      for operation in patch.operations {
        kinds.insert("\(operation.change)".prefix { $0 != "(" }.description)
      }
    }
    #expect(kinds == ["set", "insert", "remove", "move"])
    #expect(try JSONReader.decode(TestState.self, from: document.encode()) == state)
  }

  @Test("A change of one element names that element only (R9)")
  func elementChange() {
    var old = TestState()
    for index in 0..<100 { old.rows.append(TestRow(id: "\(index)")) }
    var new = old
    new.rows.update(id: "7") { $0.count = 5 }
    #expect(
      TestState.patch(from: old, to: new).operations == [
        PatchOperation(path: ["rows", "7", "count"], change: .set(Array("5".utf8)))
      ])
    new = old
    new.rows.move(from: 0, to: 99)
    #expect(
      TestState.patch(from: old, to: new).operations == [
        PatchOperation(path: ["rows", "0"], change: .move(to: 99))
      ])
  }

  @Test("What is appended is inserted at the end, beside changes of what was there (R9)")
  func append() {
    var old = TestState()
    for index in 0..<3 { old.rows.append(TestRow(id: "\(index)")) }
    var new = old
    new.rows.update(id: "1") { $0.count = 5 }
    new.rows.append(TestRow(id: "3"))
    #expect(
      TestState.patch(from: old, to: new).operations == [
        PatchOperation(path: ["rows", "1", "count"], change: .set(Array("5".utf8))),
        PatchOperation(
          path: ["rows", "3"],
          change: .insert(JSONWriter.bytes(of: TestRow(id: "3")), at: 3)),
      ])
  }

  @Test("Equal states differ by nothing")
  func nothing() { #expect(TestState.patch(from: TestState(), to: TestState()).isEmpty) }

  @Test(
    "A patch that does not fit is refused",
    arguments: [
      PatchOperation(path: ["row", "count"], change: .set(Array("5".utf8))),
      PatchOperation(path: ["rows", "x"], change: .remove),
      PatchOperation(path: ["rows", "x"], change: .insert(Array("{}".utf8), at: 4)),
      PatchOperation(path: [], change: .remove),
    ])
  func misfit(operation: PatchOperation) throws {
    var document = try JSONDocument(JSONWriter.bytes(of: TestState()))
    #expect(throws: JSONError.self) { try document.apply(Patch([operation])) }
    var state = TestState()
    #expect(throws: JSONError.self) { try state.apply(Patch([operation])) }
  }

  @Test("A subtree of a document is found before and after it was taken apart")
  func subtree() throws {
    var document = try JSONDocument(Array(#"{"a":{"b":{"c":1}},"d":2}"#.utf8))
    #expect(document.subtree(at: ["a", "b"]) == Array(#"{"c":1}"#.utf8))
    try document.apply(Patch([PatchOperation(path: ["a", "b", "e"], change: .set([0x33]))]))
    #expect(document.subtree(at: ["a", "b"]) == Array(#"{"c":1,"e":3}"#.utf8))
    #expect(document.subtree(at: ["a", "x"]) == nil)
    #expect(document.encode() == Array(#"{"a":{"b":{"c":1,"e":3}},"d":2}"#.utf8))
  }
}
