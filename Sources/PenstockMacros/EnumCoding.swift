/// Writes the direct coding of an enum.
struct EnumCoding {
  var cases: [EnumCase]
  var access: String
  var name: String

  var members: [String] {
    let hasSingles = cases.contains(where: \.isSingle)
    return [encode, decode] + (hasSingles ? [difference, apply] : []) + [shape]
  }

  private var encode: String {
    var lines = ["\(access)func encode(to writer: inout Penstock.JSONWriter) {", "  switch self {"]
    for item in cases {
      lines.append("  case .\(item.code)\(item.bindings("v")):")
      if item.values.isEmpty {
        lines.append("    writer.raw(\"\\\"\(item.name)\\\"\")")
      } else if item.isSingle {
        lines.append("    writer.raw(\"{\\\"\(item.name)\\\":\")")
        lines.append("    Penstock.FieldCoding.encode(v0, to: &writer)")
        lines.append("    writer.raw(\"}\")")
      } else {
        var separator = "{\\\"\(item.name)\\\":{"
        for (index, value) in item.values.enumerated() {
          lines.append("    writer.raw(\"\(separator)\\\"\(value.key)\\\":\")")
          lines.append("    Penstock.FieldCoding.encode(v\(index), to: &writer)")
          separator = ","
        }
        lines.append("    writer.raw(\"}}\")")
      }
    }
    lines += ["  }", "}"]
    return lines.joined(separator: "\n")
  }

  private var decode: String {
    var lines = [
      "\(access)init(from reader: inout Penstock.JSONReader) throws(Penstock.JSONError) {"
    ]
    if cases.isEmpty {
      lines += ["  throw reader.error(\"\(name) has no cases\")", "}"]
      return lines.joined(separator: "\n")
    }
    lines.append("  let hasValue = try reader.beginCase()")
    var separator = "  if"
    for item in cases {
      let value = item.values.isEmpty ? "!hasValue" : "hasValue"
      lines.append("\(separator) \(value), reader.isKey(\"\(item.name)\") {")
      if item.values.isEmpty {
        lines.append("    self = .\(item.code)")
      } else if item.isSingle {
        let type = item.values[0].type
        lines.append("    self = .\(item.code)(")
        lines.append("      try Penstock.FieldCoding.decode((\(type)).self, from: &reader))")
      } else {
        lines += decodeMembers(of: item)
      }
      separator = "  } else if"
    }
    lines.append("  } else {")
    lines.append("    throw reader.error(\"\(name) has no case \\(try reader.keyText())\")")
    lines.append("  }")
    lines.append("  if hasValue { try reader.endCase() }")
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  private func decodeMembers(of item: EnumCase) -> [String] {
    var lines = item.values.indices.map { "    var v\($0): (\(item.values[$0].type))? = nil" }
    lines.append("    try reader.beginObject()")
    lines.append("    while try reader.nextMember() {")
    var separator = "      if"
    for (index, value) in item.values.enumerated() {
      lines.append("\(separator) reader.isKey(\"\(value.key)\") {")
      lines.append(
        "        v\(index) = "
          + "try Penstock.FieldCoding.decode((\(value.type)).self, from: &reader)")
      separator = "      } else if"
    }
    lines += ["      } else {", "        try reader.skipValue()", "      }", "    }"]
    var expressions: [String] = []
    for (index, value) in item.values.enumerated() {
      if let defaultValue = value.defaultValue {
        expressions.append("v\(index) ?? (\(defaultValue))")
      } else if isOptionalType(value.type) {
        expressions.append("v\(index) ?? nil")
      } else {
        lines.append("    guard let v\(index) else {")
        lines.append(
          "      throw reader.error(\"“\(value.key)” of \(name).\(item.name) is missing\")")
        lines.append("    }")
        expressions.append("v\(index)")
      }
    }
    lines.append("    self = \(item.made(expressions))")
    return lines
  }

  private var difference: String {
    var lines = [
      "\(access)static func difference(",
      "  from old: Self, to new: Self, into patch: inout Penstock.PatchBuilder",
      ") {",
    ]
    for item in cases where item.isSingle {
      lines.append("  if case .\(item.code)(let v0) = old, case .\(item.code)(let v1) = new {")
      lines.append("    return Penstock.FieldCoding.difference(")
      lines.append("      \"\(item.name)\", from: v0, to: v1, into: &patch)")
      lines.append("  }")
    }
    lines += ["  patch.set(new)", "}"]
    return lines.joined(separator: "\n")
  }

  private var apply: String {
    var lines = [
      "\(access)mutating func apply(",
      "  _ change: Penstock.PatchOperation.Change, at path: ArraySlice<String>",
      ") throws(Penstock.JSONError) {",
    ]
    for item in cases where item.isSingle {
      lines.append("  if path.first == \"\(item.name)\", case .\(item.code)(var v0) = self {")
      lines.append("    try Penstock.FieldCoding.apply(change, at: path.dropFirst(), to: &v0)")
      lines.append("    self = .\(item.code)(v0)")
      lines.append("    return")
      lines.append("  }")
    }
    lines += ["  try self.replace(by: change, at: path)", "}"]
    return lines.joined(separator: "\n")
  }

  private var shape: String {
    var lines = [
      "\(access)static func shape(into shape: inout Penstock.JSONShape) {",
      "  shape.append(\"<\")",
    ]
    for item in cases {
      lines.append("  shape.append(\"|\(item.name)\")")
      for value in item.values {
        lines.append("  shape.append(\" \(value.label ?? "_"):\")")
        lines.append("  Penstock.FieldCoding.shape((\(value.type)).self, into: &shape)")
      }
    }
    lines += ["  shape.append(\">\")", "}"]
    return lines.joined(separator: "\n")
  }

  /// The case paths of the enum `type`.
  func casePaths(of type: String) -> [String] {
    var lines = ["\(access)struct AllCasePaths: Sendable {"]
    for item in cases {
      let names =
        [item.name] + (item.values.count == 1 ? item.values[0].label.map { [$0] } ?? [] : [])
      let parts = names.map { "\"\($0)\"" }.joined(separator: ", ")
      lines.append("  \(access)var \(item.code): Penstock.CasePath<\(type), \(valueType(item))> {")
      lines.append("    Penstock.CasePath(")
      lines.append("      names: [\(parts)],")
      lines.append("      embed: { \(embedding(item)) },")
      lines.append("      extract: {")
      lines.append(
        "        if case .\(item.code)\(item.bindings("v")) = $0 { \(extracted(item)) } else { nil }"
      )
      lines.append("      })")
      lines.append("  }")
    }
    lines.append("}")
    let tables = [
      ("internalCases", cases.filter(\.isInternal)), ("bindingCases", cases.filter(\.isBinding)),
    ]
    return [
      lines.joined(separator: "\n"),
      "\(access)static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ]
      + tables.filter { !$0.1.isEmpty }.map { name, cases in
        let names = cases.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return "\(access)static var \(name): [String] { [\(names)] }"
      } + childCases
  }

  private var childCases: [String] {
    let known = cases.filter(\.isOfChild).map { "\"\($0.name)\"" }
    let open = cases.filter(\.mayBeOfChild).map { "(\"\($0.name)\", \($0.values[0].type).self)" }
    if known.isEmpty && open.isEmpty { return [] }
    let names = "[\(known.joined(separator: ", "))]"
    let value =
      open.isEmpty
      ? names
      : "Penstock.ChildCases.names(\(names), asking: [\(open.joined(separator: ", "))])"
    return ["\(access)static var childCases: [String] { \(value) }"]
  }

  private func valueType(_ item: EnumCase) -> String {
    switch item.values.count {
    case 0: "Void"
    case 1: "\(item.values[0].type)"
    default:
      "("
        + item.values.map { ($0.label.map { "\($0): " } ?? "") + "\($0.type)" }
        .joined(separator: ", ") + ")"
    }
  }

  private func embedding(_ item: EnumCase) -> String {
    switch item.values.count {
    case 0: "_ in .\(item.code)"
    case 1: item.made(["$0"])
    default: item.made(item.values.indices.map { "$0." + String($0) })
    }
  }

  private func extracted(_ item: EnumCase) -> String {
    switch item.values.count {
    case 0: "()"
    case 1: "v0"
    default: "(" + item.values.indices.map { "v\($0)" }.joined(separator: ", ") + ")"
    }
  }
}
