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
    } else if let type = nameOfOther(context.lexicalContext) {
      context.diagnose(.internalWithoutEffect(type: type), at: node)
    }
    return []
  }

  /// The enum around the case, if it is neither an Action nor an enum of features.
  private static func nameOfOther(_ around: [Syntax]) -> String? {
    let enums = around.compactMap { $0.as(EnumDeclSyntax.self) }
    guard let inner = enums.first else { return nil }
    if inner.name.text == "Action" || has("Reducer", inner) { return nil }
    let isInAction = enums.dropFirst().contains { $0.name.text == "Action" }
    return has("CasePathable", inner) && !isInAction ? nil : inner.name.text
  }

  private static func has(_ attribute: String, _ declaration: EnumDeclSyntax) -> Bool {
    declaration.attributes.contains {
      let name = $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription
      return name == attribute || name?.hasSuffix(".\(attribute)") == true
    }
  }
}
