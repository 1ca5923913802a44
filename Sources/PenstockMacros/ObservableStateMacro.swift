import SwiftSyntax
import SwiftSyntaxMacros

/// `@ObservableState`: the coding of a state, the table of its fields, and the case paths of an enum.
struct ObservableStateMacro: ExtensionMacro, EnumMemberMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var protocols = protocols
    let surplus = declaration.is(EnumDeclSyntax.self) ? "ObservableState" : "CasePathable"
    protocols.removeAll {
      $0.trimmedDescription == surplus || $0.trimmedDescription.hasSuffix(".\(surplus)")
    }
    var coding = CodingExtension(type: type, protocols: protocols)
    guard addCoding(of: declaration, to: &coding, in: context) else {
      context.diagnose(
        .wrongDeclaration(
          macro: "ObservableState", expected: "a struct or an enum, since states are values"),
        at: node)
      return []
    }
    warnOfUnorderedFields(of: declaration, in: context)
    return try coding.syntax
  }

  private static func warnOfUnorderedFields(
    of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) {
    for variable in declaration.memberBlock.members.compactMap({
      $0.decl.as(VariableDeclSyntax.self)
    })
    where !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }) {
      for binding in variable.bindings where binding.accessorBlock == nil {
        guard let field = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
        if let message = unordered(binding, field: plain(field.identifier.text)) {
          context.diagnose(message, at: binding)
        }
      }
    }
  }

  private static func unordered(_ binding: PatternBindingSyntax, field: String) -> Message? {
    let type: TypeSyntax?
    if let written = binding.typeAnnotation?.type {
      type = written.as(OptionalTypeSyntax.self)?.wrappedType ?? written
    } else {
      // `var a = Set<Int>()`, `var a = [String: Int]()`
      let called = binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
      type = called.map { TypeSyntax("\(raw: $0.trimmedDescription)") }
    }
    guard let type else { return nil }
    if let dictionary = type.as(DictionaryTypeSyntax.self) {
      return .unorderedField(
        field: field, type: "Dictionary",
        replacement:
          "OrderedDictionary<\(dictionary.key.trimmed), \(dictionary.value.trimmed)>")
    }
    guard let name = type.as(IdentifierTypeSyntax.self) else { return nil }
    let arguments = name.genericArgumentClause?.trimmedDescription ?? ""
    switch name.name.text {
    case "Set", "Dictionary":
      return .unorderedField(
        field: field, type: name.name.text, replacement: "Ordered\(name.name.text)\(arguments)")
    default: return nil
    }
  }
}
