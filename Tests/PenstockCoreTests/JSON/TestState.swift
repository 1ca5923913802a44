import PenstockCore

/// A state written out by hand as the macros write it, with every kind of member.
struct TestState: JSONCodable {
  var number = 0
  var name: String?
  var rows = IdentifiedArrayOf<TestRow>()
  var row: TestRow?
  var kind = TestKind.none
  var nested: Int?? = .some(nil)
  var list: [Int] = []

  func encode(to writer: inout JSONWriter) {
    writer.raw("{\"number\":")
    number.encode(to: &writer)
    writer.raw(",\"name\":")
    name.encode(to: &writer)
    writer.raw(",\"rows\":")
    rows.encode(to: &writer)
    writer.raw(",\"row\":")
    row.encode(to: &writer)
    writer.raw(",\"kind\":")
    kind.encode(to: &writer)
    writer.raw(",\"nested\":")
    nested.encode(to: &writer)
    writer.raw(",\"list\":")
    list.encode(to: &writer)
    writer.raw("}")
  }

  init() {}

  init(from reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("number") {
        number = try Int(from: &reader)
      } else if reader.isKey("name") {
        name = try String?(from: &reader)
      } else if reader.isKey("rows") {
        rows = try IdentifiedArrayOf<TestRow>(from: &reader)
      } else if reader.isKey("row") {
        row = try TestRow?(from: &reader)
      } else if reader.isKey("kind") {
        kind = try TestKind(from: &reader)
      } else if reader.isKey("nested") {
        nested = try Int??(from: &reader)
      } else if reader.isKey("list") {
        list = try [Int](from: &reader)
      } else {
        try reader.skipValue()
      }
    }
  }

  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.member("number", old.number, new.number)
    patch.member("name", old.name, new.name)
    patch.member("rows", old.rows, new.rows)
    patch.member("row", old.row, new.row)
    patch.member("kind", old.kind, new.kind)
    patch.member("nested", old.nested, new.nested)
    patch.member("list", old.list, new.list)
  }

  mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    let rest = path.dropFirst()
    switch path.first {
    case "number": try number.apply(change, at: rest)
    case "name": try name.apply(change, at: rest)
    case "rows": try rows.apply(change, at: rest)
    case "row": try row.apply(change, at: rest)
    case "kind": try kind.apply(change, at: rest)
    case "nested": try nested.apply(change, at: rest)
    case "list": try list.apply(change, at: rest)
    default: try replace(by: change, at: path)
    }
  }

  static func shape(into shape: inout JSONShape) { shape.append("test") }
}

struct TestRow: JSONCodable, Identifiable {
  var id: String
  var count = 0

  init(id: String, count: Int = 0) {
    self.id = id
    self.count = count
  }

  func encode(to writer: inout JSONWriter) {
    writer.raw("{\"id\":")
    id.encode(to: &writer)
    writer.raw(",\"count\":")
    count.encode(to: &writer)
    writer.raw("}")
  }

  init(from reader: inout JSONReader) throws(JSONError) {
    var id: String?
    try reader.beginObject()
    while try reader.nextMember() {
      if reader.isKey("id") {
        id = try String(from: &reader)
      } else if reader.isKey("count") {
        count = try Int(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    guard let id else { throw reader.error("id is missing") }
    self.id = id
  }

  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.member("id", old.id, new.id)
    patch.member("count", old.count, new.count)
  }

  mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    switch path.first {
    case "id": try id.apply(change, at: path.dropFirst())
    case "count": try count.apply(change, at: path.dropFirst())
    default: try replace(by: change, at: path)
    }
  }

  static func shape(into shape: inout JSONShape) { shape.append("row") }
}

enum TestKind: JSONCodable {
  case none
  case row(TestRow)
  case pair(Int, label: String)

  func encode(to writer: inout JSONWriter) {
    switch self {
    case .none: writer.raw("\"none\"")
    case .row(let row):
      writer.raw("{\"row\":")
      row.encode(to: &writer)
      writer.raw("}")
    case .pair(let number, let label):
      writer.raw("{\"pair\":{\"_0\":")
      number.encode(to: &writer)
      writer.raw(",\"label\":")
      label.encode(to: &writer)
      writer.raw("}}")
    }
  }

  init(from reader: inout JSONReader) throws(JSONError) {
    guard try reader.beginCase() else {
      guard reader.isKey("none") else { throw reader.error("Unknown case") }
      self = .none
      return
    }
    if reader.isKey("row") {
      self = .row(try TestRow(from: &reader))
    } else {
      var number = 0
      var label = ""
      try reader.beginObject()
      while try reader.nextMember() {
        if reader.isKey("_0") {
          number = try Int(from: &reader)
        } else if reader.isKey("label") {
          label = try String(from: &reader)
        }
      }
      self = .pair(number, label: label)
    }
    try reader.endCase()
  }

  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if case .row(let before) = old, case .row(let after) = new {
      patch.member("row", before, after)
    } else {
      patch.set(new)
    }
  }

  mutating func apply(
    _ change: PatchOperation.Change, at path: ArraySlice<String>
  ) throws(JSONError) {
    if path.first == "row", case .row(var row) = self {
      try row.apply(change, at: path.dropFirst())
      self = .row(row)
    } else {
      try replace(by: change, at: path)
    }
  }

  static func shape(into shape: inout JSONShape) { shape.append("kind") }
}
