import SwiftSyntax
import SwiftSyntaxMacros

/// `@Operation`: the coding of an operation's input, its wire name and its conformance.
struct OperationMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(
        .wrongDeclaration(
          macro: "Operation", expected: "a struct whose stored fields are the operation's input"),
        at: node)
      return []
    }
    let runs = structure.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
      .filter { $0.name.text == "run" }
    guard let run = runs.first else {
      context.diagnose(.missingRun(type: structure.name.text), at: structure.name)
      return []
    }
    let isStream = run.signature.parameterClause.parameters.contains {
      $0.firstName.text == "output"
    }
    let surplus = isStream ? "Operation" : "StreamingOperation"
    var coding = CodingExtension(
      type: type,
      protocols: protocols.filter {
        $0.trimmedDescription != surplus && !$0.trimmedDescription.hasSuffix(".\(surplus)")
      })
    _ = addCoding(of: declaration, to: &coding, in: context)
    if case .argumentList(let arguments) = node.arguments, let name = arguments.first {
      coding.members.append(
        "\(access(of: declaration))static var operationName: String { \(name.expression.trimmed) }")
    }
    return try coding.syntax
  }
}
