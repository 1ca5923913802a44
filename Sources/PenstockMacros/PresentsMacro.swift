import SwiftSyntax
import SwiftSyntaxMacros

/// `@Presents`: `$name` beside an optional field, which names it for `ifLet`.
struct PresentsMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.count == 1,
      let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
      let type = binding.typeAnnotation?.type.as(OptionalTypeSyntax.self)?.wrappedType
    else {
      context.diagnose(
        .wrongDeclaration(
          macro: "Presents", expected: "an optional field: var destination: Destination.State?"),
        at: node)
      return []
    }
    let access = variable.modifiers.first {
      [.keyword(.public), .keyword(.package)].contains($0.name.tokenKind)
    }
    return [
      """
      \(raw: access.map { "\($0.name.text) " } ?? "")var $\(raw: plain(name)): \
      Penstock.Presented<\(type.trimmed)> {
        get { Penstock.Presented(self.\(raw: name)) }
        set { self.\(raw: name) = newValue.wrappedValue }
      }
      """
    ]
  }
}
