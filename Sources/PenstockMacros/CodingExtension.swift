import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Puts generated members and missing conformances into one extension.
struct CodingExtension {
  var type: String
  var conformances: [String]
  var members: [String] = []

  /// - Parameter protocols: what the compiler says is not declared yet.
  init(type: some TypeSyntaxProtocol, protocols: [TypeSyntax]) {
    self.type = type.trimmedDescription
    conformances = protocols.map { $0.trimmedDescription }
  }

  /// Whether the type has no conformance of its own.
  func needs(_ name: String) -> Bool {
    conformances.contains { $0 == name || $0.hasSuffix(".\(name)") }
  }

  var syntax: [ExtensionDeclSyntax] {
    get throws {
      if conformances.isEmpty && members.isEmpty { return [] }
      let inherited =
        conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
      let body = members.map { indented($0) }.joined(separator: "\n\n")
      let text: DeclSyntax = """
        extension \(raw: type)\(raw: inherited) {
        \(raw: body)
        }
        """
      return text.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
    }
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
      .joined(separator: "\n")
  }
}

/// Adds the coding of a struct to its extension: there it leaves the memberwise initialiser alone.
/// What an enum needs stands in its body, from where nested types are seen.
/// - Returns: false when the declaration is neither.
func addCoding(
  of declaration: some DeclGroupSyntax, to coding: inout CodingExtension,
  in context: some MacroExpansionContext
) -> Bool {
  guard let structure = declaration.as(StructDeclSyntax.self) else {
    return declaration.is(EnumDeclSyntax.self)
  }
  let fields = StoredField.fields(of: structure.memberBlock.members, in: context)
  let code = StructCoding(
    fields: fields, access: access(of: declaration), name: structure.name.text)
  if coding.needs("JSONCodable") { coding.members += code.members }
  if coding.needs("ObservableState") { coding.members.append(code.fieldTable) }
  return true
}

/// The members of an enum that a macro adds; none to anything else.
func enumMembers(
  of declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
  in context: some MacroExpansionContext
) -> [DeclSyntax] {
  guard let enumeration = declaration.as(EnumDeclSyntax.self) else { return [] }
  let name = enumeration.name.text
  let coding = CodingExtension(type: TypeSyntax("\(raw: name)"), protocols: protocols)
  let code = EnumCoding(
    cases: EnumCase.cases(of: enumeration.memberBlock.members, in: context),
    access: access(of: declaration), name: name)
  var members: [String] = []
  if coding.needs("JSONCodable") { members += code.members }
  if coding.needs("CasePathable") { members += code.casePaths(of: name) }
  return members.map { "\(raw: $0)" }
}

/// A macro whose members for an enum stand in the enum's body.
protocol EnumMemberMacro: MemberMacro {}

extension EnumMemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    enumMembers(of: declaration, conformingTo: protocols, in: context)
  }
}
