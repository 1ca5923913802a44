import SwiftSyntax
import SwiftSyntaxMacros

/// `@JSONCodable`: the direct coding of a plain struct or enum.
struct JSONCodableMacro: ExtensionMacro, EnumMemberMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var coding = CodingExtension(type: type, protocols: protocols)
    guard addCoding(of: declaration, to: &coding, in: context) else {
      context.diagnose(
        .wrongDeclaration(macro: "JSONCodable", expected: "a struct or an enum"), at: node)
      return []
    }
    return try coding.syntax
  }
}

/// `@CasePathable`: the coding and the case paths of an enum.
struct CasePathableMacro: ExtensionMacro, EnumMemberMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(EnumDeclSyntax.self) else {
      context.diagnose(
        .wrongDeclaration(macro: "CasePathable", expected: "an enum, such as a reducer's Action"),
        at: node)
      return []
    }
    var coding = CodingExtension(type: type, protocols: protocols)
    _ = addCoding(of: declaration, to: &coding, in: context)
    return try coding.syntax
  }
}
