import SwiftSyntax
import SwiftSyntaxMacros

/// Writes `State`, `Action` and `body` of an enum of features.
struct CaseReducerMembers {
  private struct Feature {
    var code: String
    var type: String
    /// Of an alert: what its buttons send.
    var alertAction: String?
    /// Marked with `@Internal`.
    var isInternal: Bool

    var state: String { alertAction == nil ? "\(type).State" : type }
    var action: String { alertAction ?? "\(type).Action" }
  }

  private var features: [Feature] = []
  private let name: String
  private let access: String

  init(of enumeration: EnumDeclSyntax, in context: some MacroExpansionContext) {
    name = enumeration.name.text
    access = PenstockMacros.access(of: enumeration)
    let elements = enumeration.memberBlock.members
      .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      .flatMap { declaration in
        let isInternal = isMarkedInternal(declaration)
        return declaration.elements.map { ($0, isInternal) }
      }
    for (element, isInternal) in elements {
      guard let values = element.parameterClause?.parameters, values.count == 1,
        let value = values.first, value.firstName == nil
      else {
        context.diagnose(.notAFeature(name: element.name.text), at: element)
        continue
      }
      let type = value.type.trimmed
      features.append(
        Feature(
          code: element.name.text, type: type.description, alertAction: alertAction(of: type),
          isInternal: isInternal))
    }
  }

  private func alertAction(of type: TypeSyntax) -> String? {
    let identifier = type.as(IdentifierTypeSyntax.self)
    let member = type.as(MemberTypeSyntax.self)
    guard (identifier?.name ?? member?.name)?.text == "AlertState" else { return nil }
    let arguments = identifier?.genericArgumentClause ?? member?.genericArgumentClause
    return arguments?.arguments.first?.argument.trimmedDescription
  }

  var members: [String] { [state, action, body] }

  private var state: String {
    var lines = [
      "@Penstock.ObservableState",
      "\(access)enum State: Penstock.CaseReducerState {",
      "  \(access)typealias StateReducer = \(name)",
    ]
    for feature in features { lines.append("  case \(feature.code)(\(feature.state))") }
    lines += ["  \(access)var isEphemeral: Bool {", "    switch self {"]
    for feature in features {
      lines.append("    case .\(feature.code): \(feature.alertAction != nil)")
    }
    return (lines + ["    }", "  }", "}"]).joined(separator: "\n")
  }

  private var action: String {
    var lines = ["@Penstock.CasePathable", "\(access)enum Action {"]
    for feature in features {
      let mark = feature.isInternal ? "@Penstock.Internal " : ""
      lines.append("  \(mark)case \(feature.code)(\(feature.action))")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private var body: String {
    var lines = [
      "\(access)static var body: Penstock.ComposedReducer<Self.State, Self.Action> {",
      "  Penstock.ComposedReducer<Self.State, Self.Action>()",
    ]
    for feature in features {
      let child = feature.alertAction == nil ? "\(feature.type)()" : "Penstock.EmptyReducer()"
      lines.append("    .ifCaseLet(\\.\(feature.code), action: \\.\(feature.code)) { \(child) }")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }
}
