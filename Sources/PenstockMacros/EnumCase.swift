import SwiftSyntax
import SwiftSyntaxMacros

/// A case of an enum, as written.
struct EnumCase {
  struct Value {
    var label: String?
    var type: TypeSyntax
    var defaultValue: ExprSyntax?
    /// The member's name in the encoding.
    var key: String
  }

  /// As code writes it, with back-quotes where needed.
  var code: String
  /// The wire name.
  var name: String
  var values: [Value]
  /// Marked with `@Internal`.
  var isInternal = false

  /// Whether the value stands alone under the case's name.
  var isSingle: Bool { values.count == 1 && values[0].label == nil }

  /// `(let v0, let v1)`, or nothing.
  func bindings(_ prefix: String) -> String {
    values.isEmpty
      ? "" : "(" + values.indices.map { "let \(prefix)\($0)" }.joined(separator: ", ") + ")"
  }

  /// The case with these expressions in it.
  func made(_ expressions: [String]) -> String {
    if values.isEmpty { return ".\(code)" }
    let parts = zip(values, expressions).map { value, expression in
      value.label.map { "\($0): \(expression)" } ?? expression
    }
    return ".\(code)(\(parts.joined(separator: ", ")))"
  }

  private init(_ element: EnumCaseElementSyntax) {
    code = element.name.text
    name = plain(element.name.text)
    let parameters = (element.parameterClause?.parameters).map(Array.init) ?? []
    values = parameters.enumerated().map { index, parameter in
      let label = parameter.firstName.flatMap { $0.text == "_" ? nil : $0.text }
      return Value(
        label: label, type: parameter.type.trimmed,
        defaultValue: parameter.defaultValue?.value.trimmed,
        key: label.map(plain) ?? "_\(index)")
    }
  }

  /// Whether it holds the actions of a child, as far as its type says.
  var isOfChild: Bool {
    guard isSingle, let name = typeName(of: values[0].type) else { return false }
    return values[0].type.is(MemberTypeSyntax.self) && name == "Action"
      || [
        "PresentationAction", "IdentifiedAction", "IdentifiedActionOf", "StackAction",
        "StackActionOf",
      ].contains(name)
  }

  /// Whether only the compiler knows what its type is: it may be another name for a child's Action.
  var mayBeOfChild: Bool {
    guard isSingle, !isOfChild, !isBinding else { return false }
    let type = values[0].type
    guard type.is(MemberTypeSyntax.self) || type.is(IdentifierTypeSyntax.self) else { return false }
    return type.as(IdentifierTypeSyntax.self)?.genericArgumentClause == nil
      && type.as(MemberTypeSyntax.self)?.genericArgumentClause == nil
      && !["Action", "Int", "String", "Bool", "Double", "Duration", "Bytes"].contains(
        typeName(of: type))
  }

  var isBinding: Bool { isSingle && typeName(of: values[0].type) == "BindingAction" }

  static func cases(
    of members: MemberBlockItemListSyntax, in context: some MacroExpansionContext
  ) -> [EnumCase] {
    var cases: [EnumCase] = []
    for declaration in members.compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }) {
      let isInternal = isMarkedInternal(declaration)
      for element in declaration.elements {
        var found = EnumCase(element)
        found.isInternal = isInternal
        if cases.contains(where: { $0.name == found.name }) {
          context.diagnose(.duplicateCase(name: found.name), at: element)
        } else {
          cases.append(found)
        }
      }
    }
    return cases
  }
}

/// The last name of a written type.
private func typeName(of type: TypeSyntax) -> String? {
  (type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name)?.text
}

/// Whether the declaration's cases are marked with `@Internal`.
func isMarkedInternal(_ declaration: EnumCaseDeclSyntax) -> Bool {
  declaration.attributes.contains { attribute in
    let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription
    return name == "Internal" || name?.hasSuffix(".Internal") == true
  }
}
