import SwiftSyntax
import SwiftSyntaxMacros

/// A stored field of a struct, as written.
struct StoredField {
  /// As code writes it, with back-quotes where needed.
  var code: String
  /// The wire name.
  var name: String
  var type: TypeSyntax?
  var hasDefault: Bool
  var isConstant: Bool
  /// Marked with `@Presents`, so that it has a `$name` too.
  var isPresented = false
  var isOptional: Bool { type.map(isOptionalType) ?? false }
  /// A variable of optional type is nil without being told.
  var isInitialised: Bool {
    hasDefault || (!isConstant && (type?.is(OptionalTypeSyntax.self) ?? false))
  }

  /// The stored fields in order; constants with a value are no part of what is coded.
  static func fields(
    of members: MemberBlockItemListSyntax, in context: some MacroExpansionContext
  ) -> [StoredField] {
    var fields: [StoredField] = []
    for variable in members.compactMap({ $0.decl.as(VariableDeclSyntax.self) })
    where !variable.modifiers.contains(where: { isStatic($0) }) {
      let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
      var type: TypeSyntax?
      // `var a, b: Int`: the last annotation holds for those before it.
      for binding in variable.bindings.reversed() {
        type = binding.typeAnnotation?.type.trimmed ?? (binding.initializer == nil ? type : nil)
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
          !isComputed(binding), !(isConstant && binding.initializer != nil)
        else { continue }
        let code = pattern.identifier.text
        let field = StoredField(
          code: code, name: plain(code), type: type, hasDefault: binding.initializer != nil,
          isConstant: isConstant,
          isPresented: variable.attributes.contains { attribute in
            let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription
            return name == "Presents" || name?.hasSuffix(".Presents") == true
          })
        if field.type == nil && !field.hasDefault {
          context.diagnose(.typeNotWritten(field: field.name), at: binding)
          continue
        }
        fields.append(field)
      }
      if variable.bindings.count > 1 {
        fields.replaceSubrange(
          (fields.count - variable.bindings.count)...,
          with: fields.suffix(variable.bindings.count).reversed())
      }
    }
    return fields
  }

  private static func isStatic(_ modifier: DeclModifierSyntax) -> Bool {
    [.keyword(.static), .keyword(.class), .keyword(.lazy)].contains(modifier.name.tokenKind)
  }

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      !accessors.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    @unknown default: true
    }
  }
}

func isOptionalType(_ type: TypeSyntax) -> Bool {
  type.is(OptionalTypeSyntax.self)
    || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
}

/// The name without back-quotes.
func plain(_ identifier: String) -> String {
  identifier.hasPrefix("`") ? String(identifier.dropFirst().dropLast()) : identifier
}

/// `public ` or what else the declaration's members need to be as visible as itself.
func access(of declaration: some DeclGroupSyntax) -> String {
  for modifier in declaration.modifiers {
    switch modifier.name.tokenKind {
    case .keyword(.public), .keyword(.open): return "public "
    case .keyword(.package): return "package "
    default: continue
    }
  }
  return ""
}
