/// Writes the direct coding of a struct.
struct StructCoding {
  var fields: [StoredField]
  var access: String
  var name: String

  var members: [String] { [encode, decode, difference, apply, shape] }

  private var encode: String {
    var lines = ["\(access)func encode(to writer: inout Penstock.JSONWriter) {"]
    var separator = "{"
    for field in fields {
      lines.append("  writer.raw(\"\(separator)\\\"\(field.name)\\\":\")")
      lines.append("  Penstock.FieldCoding.encode(self.\(field.code), to: &writer)")
      separator = ","
    }
    lines.append("  writer.raw(\"\(fields.isEmpty ? "{}" : "}")\")")
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  /// Fields with a default are read in place; the others by way of a local optional. No type is
  /// named, since an extension does not see the types that are nested around its type.
  private var decode: String {
    let required = fields.filter { !$0.isInitialised }
    var lines = [
      "\(access)init(from reader: inout Penstock.JSONReader) throws(Penstock.JSONError) {"
    ]
    for field in required {
      lines.append(
        "  var \(local(field)) = Penstock.FieldCoding.missing(\\Self.\(field.code))")
    }
    lines.append("  try reader.beginObject()")
    lines.append("  while try reader.nextMember() {")
    var separator = "    if"
    for field in fields {
      lines.append("\(separator) reader.isKey(\"\(field.name)\") {")
      if field.isInitialised {
        lines.append(
          "      try Penstock.FieldCoding.decode(into: &self.\(field.code), from: &reader)")
      } else {
        lines.append("      \(local(field)) = try Penstock.FieldCoding.decode(")
        lines.append("        \\Self.\(field.code), from: &reader)")
      }
      separator = "    } else if"
    }
    if fields.isEmpty {
      lines.append("    try reader.skipValue()")
    } else {
      lines.append("    } else {")
      lines.append("      try reader.skipValue()")
      lines.append("    }")
    }
    lines.append("  }")
    for field in required {
      if field.isOptional {
        lines.append("  self.\(field.code) = \(local(field)) ?? nil")
      } else {
        lines.append("  guard let \(local(field)) else {")
        lines.append(
          "    throw reader.error(\"“\(field.name)” of \(name) is missing\")")
        lines.append("  }")
        lines.append("  self.\(field.code) = \(local(field))")
      }
    }
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  private func local(_ field: StoredField) -> String { "field_\(field.name)" }

  private var difference: String {
    var lines = [
      "\(access)static func difference(",
      "  from old: Self, to new: Self, into patch: inout Penstock.PatchBuilder",
      ") {",
    ]
    for field in fields where field.isConstant {
      lines.append("  if old.\(field.code) != new.\(field.code) { return patch.set(new) }")
    }
    for field in fields where !field.isConstant {
      lines.append("  Penstock.FieldCoding.difference(")
      lines.append(
        "    \"\(field.name)\", from: old.\(field.code), to: new.\(field.code), into: &patch)")
    }
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  private var apply: String {
    var lines = [
      "\(access)mutating func apply(",
      "  _ change: Penstock.PatchOperation.Change, at path: ArraySlice<String>",
      ") throws(Penstock.JSONError) {",
      "  switch path.first {",
    ]
    for field in fields where !field.isConstant {
      lines.append("  case \"\(field.name)\":")
      lines.append("    try Penstock.FieldCoding.apply(")
      lines.append("      change, at: path.dropFirst(), to: &self.\(field.code))")
    }
    lines.append("  default: try self.replace(by: change, at: path)")
    lines.append("  }")
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  private var shape: String {
    var lines = ["\(access)static func shape(into shape: inout Penstock.JSONShape) {"]
    var separator = "{"
    for field in fields {
      lines.append("  shape.append(\"\(separator)\(field.name):\")")
      lines.append("  Penstock.FieldCoding.shape(of: \\Self.\(field.code), into: &shape)")
      separator = ","
    }
    lines.append("  shape.append(\"\(fields.isEmpty ? "{}" : "}")\")")
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  /// The table of the stored fields, for scopes (R12).
  var fieldTable: String {
    var lines = [
      "\(access)static func fieldName(of keyPath: PartialKeyPath<Self>) -> String? {"
    ]
    for field in fields where !field.isConstant {
      lines.append("  if keyPath == \\Self.\(field.code) { return \"\(field.name)\" }")
      if field.isPresented {
        lines.append("  if keyPath == \\Self.$\(field.name) { return \"\(field.name)\" }")
      }
    }
    lines.append("  return nil")
    lines.append("}")
    return lines.joined(separator: "\n")
  }
}
