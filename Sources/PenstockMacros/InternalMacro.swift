import SwiftSyntax
import SwiftSyntaxMacros

/// `@Internal`: a mark that the macros of the enum around it read.
struct InternalMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !declaration.is(EnumCaseDeclSyntax.self) {
      context.diagnose(
        .wrongDeclaration(
          macro: "Internal", expected: "a case of an Action: @Internal case response(Outcome<Int>)"),
        at: node)
    }
    return []
  }
}
