import SwiftSyntax
import SwiftSyntaxMacros

/// `@Reducer`: the conformance, and the macros of the nested `State` and `Action`.
struct ReducerMacro: ExtensionMacro, MemberAttributeMacro, MemberMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    func without(_ surplus: String) -> [TypeSyntax] {
      protocols.filter {
        $0.trimmedDescription != surplus && !$0.trimmedDescription.hasSuffix(".\(surplus)")
      }
    }
    if declaration.is(EnumDeclSyntax.self) {
      return try CodingExtension(type: type, protocols: without("Reducer")).syntax
    }
    let protocols = without("CaseReducer")
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(
        .wrongDeclaration(
          macro: "Reducer",
          expected: "a struct that holds State, Action and body, or an enum of features"), at: node)
      return []
    }
    let names = Set(structure.memberBlock.members.flatMap { declaredNames($0.decl) })
    let needed = [
      ("State", "a State", "struct State {}"),
      ("Action", "an Action", "enum Action {}"),
      ("body", "a body", "var body: some ReducerOf<Self> { Reduce { state, action in .none } }"),
    ]
    for (name, member, example) in needed where !names.contains(name) {
      context.diagnose(
        .missingMember(reducer: structure.name.text, member: member, example: example),
        at: structure.name)
    }
    if needed.contains(where: { !names.contains($0.0) }) { return [] }
    return try CodingExtension(type: type, protocols: protocols).syntax
  }

  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let enumeration = declaration.as(EnumDeclSyntax.self) else { return [] }
    return CaseReducerMembers(of: enumeration, in: context).members.map { "\(raw: $0)" }
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    if declaration.is(EnumDeclSyntax.self) { return [] }
    let (name, attributes): (String, AttributeListSyntax)
    if let structure = member.as(StructDeclSyntax.self) {
      (name, attributes) = (structure.name.text, structure.attributes)
    } else if let enumeration = member.as(EnumDeclSyntax.self) {
      (name, attributes) = (enumeration.name.text, enumeration.attributes)
    } else if let variable = member.as(VariableDeclSyntax.self),
      let pattern = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)
    {
      (name, attributes) = (pattern.identifier.text, variable.attributes)
    } else {
      return []
    }
    let present = attributes.compactMap {
      $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription
    }
    func add(_ attribute: String, _ arguments: String = "") -> [AttributeSyntax] {
      present.contains { $0.split(separator: "<")[0].hasSuffix(attribute) }
        ? [] : ["@Penstock.\(raw: attribute + arguments)"]
    }
    switch name {
    case "State": return add("ObservableState")
    case "Action": return add("CasePathable")
    // The builder is not inferred from a conformance that a macro writes.
    case "body": return add("ReducerBuilder", "<Self.State, Self.Action>")
    default: return []
    }
  }

  private static func declaredNames(_ declaration: DeclSyntax) -> [String] {
    if let variable = declaration.as(VariableDeclSyntax.self) {
      return variable.bindings.compactMap {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      }
    }
    return declaration.asProtocol((any NamedDeclSyntax).self).map { [$0.name.text] } ?? []
  }
}
