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

  static func cases(
    of members: MemberBlockItemListSyntax, in context: some MacroExpansionContext
  ) -> [EnumCase] {
    var cases: [EnumCase] = []
    for element in members.compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }).flatMap(\.elements) {
      let values = (element.parameterClause?.parameters).map(Array.init) ?? []
      let found = EnumCase(
        code: element.name.text, name: plain(element.name.text),
        values: values.enumerated().map { index, parameter in
          let label = parameter.firstName.flatMap { $0.text == "_" ? nil : $0.text }
          return Value(
            label: label, type: parameter.type.trimmed,
            defaultValue: parameter.defaultValue?.value.trimmed,
            key: label.map(plain) ?? "_\(index)")
        })
      if cases.contains(where: { $0.name == found.name }) {
        context.diagnose(.duplicateCase(name: found.name), at: element)
      } else {
        cases.append(found)
      }
    }
    return cases
  }
}
