import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import PenstockMacros

/// What the macros make of a source text.
struct Expansion {
  var text: String
  /// Severity and sentence, in order.
  var diagnostics: [String]

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let coding: [TypeSyntax] = ["JSONCodable", "Codable", "Equatable", "Sendable"]
    var specs = [
      "Reducer": MacroSpec(
        type: ReducerMacro.self, conformances: ["Reducer", "CaseReducer"]),
      "ObservableState": MacroSpec(
        type: ObservableStateMacro.self,
        conformances: ["ObservableState", "CasePathable"] + coding),
      "CasePathable": MacroSpec(
        type: CasePathableMacro.self, conformances: ["CasePathable"] + coding),
      "JSONCodable": MacroSpec(type: JSONCodableMacro.self, conformances: coding),
      "Operation": MacroSpec(
        type: OperationMacro.self, conformances: ["Operation", "StreamingOperation"] + coding),
    ]
    specs["Internal"] = MacroSpec(type: InternalMacro.self)
    specs["Presents"] = MacroSpec(type: PresentsMacro.self)
    let expanded = Syntax(file).expand(
      macroSpecs: specs,
      contextGenerator: {
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    text = expanded.description
    diagnostics = context.diagnostics.map { "\($0.diagMessage.severity): \($0.message)" }
  }
}
