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

/// Adds the coding of a struct or an enum to the extension.
/// - Returns: false when the declaration is neither.
func addCoding(
  of declaration: some DeclGroupSyntax, to coding: inout CodingExtension,
  in context: some MacroExpansionContext
) -> Bool {
  let access = access(of: declaration)
  if let structure = declaration.as(StructDeclSyntax.self) {
    let fields = StoredField.fields(of: structure.memberBlock.members, in: context)
    let code = StructCoding(fields: fields, access: access, name: structure.name.text)
    if coding.needs("JSONCodable") { coding.members += code.members }
    if coding.needs("ObservableState") { coding.members.append(code.fieldTable) }
  } else if let enumeration = declaration.as(EnumDeclSyntax.self) {
    let cases = EnumCase.cases(of: enumeration.memberBlock.members, in: context)
    let code = EnumCoding(cases: cases, access: access, name: enumeration.name.text)
    if coding.needs("JSONCodable") { coding.members += code.members }
    if coding.needs("CasePathable") { coding.members += code.casePaths(of: coding.type) }
  } else {
    return false
  }
  return true
}
