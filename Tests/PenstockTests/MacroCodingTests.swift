import FoundationEssentials
import Penstock
import Testing

struct MacroCodingTests {
  func text(_ value: some JSONCodable) -> String {
    String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
  }

  @Test("A state is an object of its fields in the order of their declaration (S-6)")
  func state() throws {
    var state = Fact.State(started: Date(timeIntervalSince1970: 1.5))
    state.pairs = ["b": [1], "a": []]
    #expect(
      text(state) == """
        {"number":0,"fact":null,"isLoading":false,"started":1500000,"theme":"light",\
        "pairs":{"b":[1],"a":[]},"slow":{"value":1}}
        """)
    #expect(try JSONReader.decode(from: JSONWriter.bytes(of: state)) == state)
  }

  @Test("Missing fields take their default, unknown ones are skipped, order does not matter (S-7)")
  func lenient() throws {
    let state = try JSONReader.decode(
      Fact.State.self, from: Array(#"{"unknown":[1],"fact":"x","started":2000000}"#.utf8))
    #expect(state.fact == "x")
    #expect(state.number == 0)
    #expect(state.started == Date(timeIntervalSince1970: 2))
    let error = #expect(throws: JSONError.self) {
      try JSONReader.decode(Fact.State.self, from: Array("{}".utf8))
    }
    #expect(error?.message == "“started” of State is missing")
  }

  @Test(
    "Cases are names, or names around what they hold",
    arguments: [
      (Fact.Action.askTapped, #""askTapped""#),
      (.numberChanged(4), #"{"numberChanged":4}"#),
      (.moved(x: 1, y: nil), #"{"moved":{"x":1,"y":null}}"#),
      (.labelled(text: "a"), #"{"labelled":{"text":"a"}}"#),
      (.response(.success("f")), #"{"response":{"success":"f"}}"#),
      (
        .response(.failure(Failure(code: "timeout", message: "m"))),
        #"{"response":{"failure":{"code":"timeout","message":"m"}}}"#
      ),
    ])
  func actions(action: Fact.Action, expected: String) throws {
    #expect(text(action) == expected)
    #expect(try JSONReader.decode(from: Array(expected.utf8)) == action)
  }

  @Test("Labelled values with defaults may be missing")
  func caseDefaults() throws {
    #expect(
      try JSONReader.decode(Theme.self, from: Array(#"{"custom":{"red":1}}"#.utf8))
        == .custom(red: 1))
    #expect(throws: JSONError.self) {
      try JSONReader.decode(Theme.self, from: Array(#"{"light":1}"#.utf8))
    }
    #expect(throws: JSONError.self) {
      try JSONReader.decode(Theme.self, from: Array(#""custom""#.utf8))
    }
  }

  @Test("Case key paths embed, extract and chain")
  func casePaths() {
    #expect((\Fact.Action.Cases.numberChanged)(3) == .numberChanged(3))
    #expect((\Fact.Action.Cases.askTapped)() == .askTapped)
    #expect(Fact.Action.numberChanged(3)[case: \.numberChanged] == 3)
    #expect(Fact.Action.numberChanged(3)[case: \.response] == nil)
    #expect(Fact.Action.askTapped.is(\.askTapped))
    #expect(!Fact.Action.askTapped.is(\.cancelTapped))
    var action = Fact.Action.numberChanged(3)
    action.modify(\.numberChanged) { $0 += 1 }
    #expect(action == .numberChanged(4))
  }

  @Test("States differ field by field")
  func difference() throws {
    let old = Fact.State(started: Date(timeIntervalSince1970: 0))
    var new = old
    new.fact = "x"
    new.slow.value = 2
    new.theme = .custom(red: 1)
    let patch = Fact.State.patch(from: old, to: new)
    #expect(
      patch.operations.map { "\($0.path)" } == [#"["fact"]"#, #"["theme"]"#, #"["slow"]"#])
    var patched = old
    try patched.apply(patch)
    #expect(patched == new)
    let moved = Fact.State(started: Date(timeIntervalSince1970: 1))
    #expect(Fact.State.patch(from: old, to: moved).operations.map(\.path) == [[]])
  }

  @Test("A shape tells fields, types and what is slow")
  func shape() {
    var shape = JSONShape()
    shape.append(Fact.State.self)
    #expect(
      shape.text == """
        {number:int,fact:?string,isLoading:bool,started:date,theme:<|light|dark|custom red:int \
        green:int>,pairs:{*string:[int]},slow:slow(Slow)}
        """)
    #expect(shape.slowTypes == ["Slow"])
  }
}
