import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A diagnostic: what is wrong and what to write instead.
enum Message: DiagnosticMessage {
  case wrongDeclaration(macro: String, expected: String)
  case missingMember(reducer: String, member: String, example: String)
  case unorderedField(field: String, type: String, replacement: String)
  case typeNotWritten(field: String)
  case duplicateCase(name: String)
  case missingRun(type: String)
  case notAFeature(name: String)
  case internalWithoutEffect(type: String)

  var message: String {
    switch self {
    case .wrongDeclaration(let macro, let expected):
      "@\(macro) can only be applied to \(expected)"
    case .missingMember(let reducer, let member, let example):
      "“\(reducer)” needs \(member) to be a reducer. Add it: \(example)"
    case .unorderedField(let field, let type, let replacement):
      """
      “\(field)” is a \(type), whose order differs in each process, so a replay could give another \
      state. Write \(replacement) instead
      """
    case .typeNotWritten(let field):
      "“\(field)” needs a written type, since it has no default value to read it from"
    case .duplicateCase(let name):
      "Two cases have the wire name “\(name)”. Rename one: overloaded cases can't be told apart"
    case .missingRun(let type):
      """
      “\(type)” needs run to be an operation. Add it: \
      func run(_ context: OperationContext) async throws -> String { … }
      """
    case .internalWithoutEffect(let type):
      """
      @Internal has no effect in “\(type)”: only the cases of a feature's Action are looked at. Mark the \
      case of the Action that holds it
      """
    case .notAFeature(let name):
      """
      “\(name)” needs one feature, without a label, or an AlertState: case \(name)(Edit)
      """
    }
  }

  var severity: DiagnosticSeverity {
    if case .unorderedField = self { .warning } else { .error }
  }

  var diagnosticID: MessageID {
    MessageID(domain: "Penstock", id: "\(self)".prefix { $0 != "(" }.description)
  }
}

extension MacroExpansionContext {
  func diagnose(_ message: Message, at node: some SyntaxProtocol) {
    diagnose(Diagnostic(node: Syntax(node), message: message))
  }
}
