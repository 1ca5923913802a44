import Testing

struct ExpansionTests {
  /// Without white space, since how a compiler lays out an expansion does not matter.
  func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test("A struct writes its fields in order, and reads them in any")
  func structure() {
    let expansion = Expansion(
      """
      @JSONCodable public struct Point {
        public var x = 0
        let name: String
      }
      """)
    #expect(expansion.diagnostics == [])
    #expect(
      squeezed(expansion.text)
        == squeezed(
          #"""
          public struct Point {
            public var x = 0
            let name: String
          }

          extension Point: JSONCodable, Codable, Equatable, Sendable {
            public func encode(to writer: inout Penstock.JSONWriter) {
              writer.raw("{\"x\":")
              Penstock.FieldCoding.encode(self.x, to: &writer)
              writer.raw(",\"name\":")
              Penstock.FieldCoding.encode(self.name, to: &writer)
              writer.raw("}")
            }

            public init(from reader: inout Penstock.JSONReader) throws(Penstock.JSONError) {
              var field_name = Penstock.FieldCoding.missing(\Self.name)
              try reader.beginObject()
              while try reader.nextMember() {
                if reader.isKey("x") {
                  try Penstock.FieldCoding.decode(into: &self.x, from: &reader)
                } else if reader.isKey("name") {
                  field_name = try Penstock.FieldCoding.decode(
                    \Self.name, from: &reader)
                } else {
                  try reader.skipValue()
                }
              }
              guard let field_name else {
                throw reader.error("“name” of Point is missing")
              }
              self.name = field_name
            }

            public static func difference(
              from old: Self, to new: Self, into patch: inout Penstock.PatchBuilder
            ) {
              if old.name != new.name { return patch.set(new) }
              Penstock.FieldCoding.difference(
                "x", from: old.x, to: new.x, into: &patch)
            }

            public mutating func apply(
              _ change: Penstock.PatchOperation.Change, at path: ArraySlice<String>
            ) throws(Penstock.JSONError) {
              switch path.first {
              case "x":
                try Penstock.FieldCoding.apply(
                  change, at: path.dropFirst(), to: &self.x)
              default: try self.replace(by: change, at: path)
              }
            }

            public static func shape(into shape: inout Penstock.JSONShape) {
              shape.append("{x:")
              Penstock.FieldCoding.shape(of: \Self.x, into: &shape)
              shape.append(",name:")
              Penstock.FieldCoding.shape(of: \Self.name, into: &shape)
              shape.append("}")
            }
          }
          """#))
  }

  @Test("A reducer's State, Action and body get their attributes")
  func reducer() {
    let expansion = Expansion(
      """
      @Reducer struct Feature {
        struct State { var count = 0 }
        enum Action { case tap }
        var body: some ReducerOf<Self> { EmptyReducer() }
      }
      """)
    #expect(expansion.diagnostics == [])
    for part in [
      "extension Feature: Reducer", "@Penstock.ObservableState struct State",
      "@Penstock.CasePathable enum Action",
      "@Penstock.ReducerBuilder<Self.State, Self.Action> var body",
    ] {
      #expect(squeezed(expansion.text).contains(squeezed(part)))
    }
  }

  @Test("An enum's case paths name the wire names, labels included")
  func casePaths() {
    let text = Expansion(
      "@CasePathable enum Action { case tap, set(Int), label(text: String), move(x: Int, y: Int) }"
    ).text
    for part in [
      #"names: ["tap"]"#, #"names: ["label", "text"]"#, "embed: { .label(text: $0) }",
      "var move: Penstock.CasePath<Action, (x: Int, y: Int)>",
      "embed: { .move(x: $0.0, y: $0.1) }",
      "if case .move(let v0, let v1) = $0 { (v0, v1) } else { nil }",
    ] {
      #expect(squeezed(text).contains(squeezed(part)))
    }
  }

  @Test("An operation is one, or a stream when run takes an output, under the given name")
  func operation() {
    let single = Expansion(
      """
      @Operation("fetch") struct Fetch { func run(_ context: OperationContext) async -> Int { 1 } }
      """
    ).text
    #expect(squeezed(single).contains(squeezed("extension Fetch: Operation, JSONCodable")))
    #expect(squeezed(single).contains(squeezed(#"static var operationName: String { "fetch" }"#)))
    let stream = Expansion(
      """
      @Operation struct Fetch {
        func run(_ context: OperationContext, output: OutputSink<Int>) async {}
      }
      """
    ).text
    #expect(squeezed(stream).contains(squeezed("extension Fetch: StreamingOperation, JSONCodable")))
    #expect(!squeezed(stream).contains(squeezed("operationName")))
  }

  @Test("An enum of features becomes their state, their actions and their body")
  func features() {
    let expansion = Expansion(
      """
      @Reducer enum Destination { case edit(Edit); case alert(AlertState<Alert>) }
      """)
    #expect(expansion.diagnostics == [])
    let text = squeezed(expansion.text)
    #expect(text.contains("case edit(Edit.State)".filter { $0 != " " }))
    #expect(text.contains("case alert(AlertState<Alert>)".filter { $0 != " " }))
    #expect(text.contains("case edit(Edit.Action)".filter { $0 != " " }))
    #expect(text.contains("case .alert: true".filter { $0 != " " }))
    #expect(text.contains(#".ifCaseLet(\.edit,action:\.edit){Edit()}"#))
    #expect(text.contains(#".ifCaseLet(\.alert,action:\.alert){Penstock.EmptyReducer()}"#))
    #expect(text.contains("extensionDestination:CaseReducer{"))
    #expect(
      Expansion("@Reducer enum Destination { case edit(Edit, Int) }").diagnostics == [
        "error: “edit” needs one feature, without a label, or an AlertState: case edit(Edit)"
      ])
  }

  @Test("A presented field has a name for ifLet")
  func presents() {
    let text = squeezed(
      Expansion("@ObservableState struct S { @Presents var sheet: Edit.State? }").text)
    #expect(text.contains("var$sheet:Penstock.Presented<Edit.State>{"))
    #expect(text.contains(#"ifkeyPath==\Self.$sheet{return"sheet"}"#))
    #expect(
      Expansion("struct S { @Presents var sheet: Int }").diagnostics == [
        "error: @Presents can only be applied to an optional field: var destination: "
          + "Destination.State?"
      ])
  }

  @Test("An action lists its internal cases, its children's and its bindings")
  func integrations() {
    let expansion = Expansion(
      """
      @CasePathable enum Action {
        case tap
        @Internal case response(Int), failed
        @Penstock.Internal case child(Child.Action)
        case sheet(PresentationAction<Sheet.Action>)
        case rows(IdentifiedActionOf<Row>)
        case path(StackActionOf<Path>)
        case labelled(action: Child.Action)
        case binding(BindingAction<State>)
      }
      """)
    #expect(expansion.diagnostics == [])
    let text = squeezed(expansion.text)
    for part in [
      #"static var internalCases: [String] { ["response", "failed", "child"] }"#,
      #"static var childCases: [String] { ["child", "sheet", "rows", "path"] }"#,
      #"static var bindingCases: [String] { ["binding"] }"#,
    ] {
      #expect(text.contains(squeezed(part)))
    }
    let plain = squeezed(Expansion("@CasePathable enum Action { case tap(Action) }").text)
    #expect(!plain.contains("Cases:[String]"))
    let destination = Expansion("@Reducer enum Destination { @Internal case edit(Edit) }").text
    #expect(squeezed(destination).contains("@Penstock.Internalcaseedit(Edit.Action)"))
    #expect(
      Expansion("struct S { @Internal var x: Int }").diagnostics == [
        "error: @Internal can only be applied to a case of an Action: @Internal case "
          + "response(Outcome<Int>)"
      ])
  }
}
