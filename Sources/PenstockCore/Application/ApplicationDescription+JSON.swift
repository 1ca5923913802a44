/// The description as `describe` prints it and HELLO carries it.
extension ApplicationDescription: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"name\":")
    writer.string(name)
    writer.raw(",\"levels\":")
    levels.encode(to: &writer)
    writer.raw(",\"operations\":")
    operations.encode(to: &writer)
    writer.raw(",\"slowTypes\":")
    slowTypes.encode(to: &writer)
    writer.raw(",\"schemaHash\":")
    writer.string(String(schemaHash, radix: 16))
    if build != 0 {
      writer.raw(",\"build\":")
      writer.string(String(build, radix: 16))
    }
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init(name: "", levels: [])
    try reader.beginObject()
    while try reader.nextMember() {
      switch try reader.keyText() {
      case "name": name = try reader.readString()
      case "levels": levels = try [LevelDescription](from: &reader)
      case "operations": operations = try [String](from: &reader)
      case "slowTypes": slowTypes = try [String](from: &reader)
      case "schemaHash":
        guard let hash = UInt64(try reader.readString(), radix: 16) else {
          throw reader.error("schemaHash is not a hexadecimal number")
        }
        schemaHash = hash
      case "build":
        guard let number = UInt64(try reader.readString(), radix: 16) else {
          throw reader.error("build is not a hexadecimal number")
        }
        build = number
      default: try reader.skipValue()
      }
    }
  }

  public static func shape(into shape: inout JSONShape) { shape.append("application") }
}

extension LevelDescription: JSONCodable {
  public func encode(to writer: inout JSONWriter) {
    writer.raw("{\"path\":")
    writer.string(path.description)
    writer.raw(",\"kind\":")
    writer.string(kind.rawValue)
    writer.raw(",\"statePath\":")
    statePath.encode(to: &writer)
    writer.raw(",\"hasLogic\":")
    writer.bool(hasLogic)
    writer.raw(",\"writesChildren\":")
    writer.bool(writesChildren)
    writer.raw(",\"observes\":")
    observes.encode(to: &writer)
    writer.raw(",\"placementObstacle\":")
    placementObstacle.encode(to: &writer)
    if !wrapping.isEmpty {
      writer.raw(",\"wrapping\":")
      wrapping.encode(to: &writer)
    }
    if !internalCases.isEmpty {
      writer.raw(",\"internal\":")
      internalCases.encode(to: &writer)
    }
    if !bindings.isEmpty {
      writer.raw(",\"bindings\":")
      bindings.encode(to: &writer)
    }
    if version != 1 {
      writer.raw(",\"version\":")
      version.encode(to: &writer)
    }
    if !shape.isEmpty {
      writer.raw(",\"shape\":")
      writer.string(shape)
    }
    if !reads.isEmpty {
      writer.raw(",\"reads\":")
      reads.map(\.description).encode(to: &writer)
    }
    if let repeats {
      writer.raw(",\"repeats\":")
      writer.string(repeats.description)
    }
    writer.raw("}")
  }

  public init(from reader: inout JSONReader) throws(JSONError) {
    self.init(path: .root, kind: .root, statePath: [], hasLogic: false)
    try reader.beginObject()
    while try reader.nextMember() {
      switch try reader.keyText() {
      case "path":
        guard let read = Path(try reader.readString()) else { throw reader.error("not a path") }
        path = read
      case "kind":
        guard let read = Kind(rawValue: try reader.readString()) else {
          throw reader.error("not a kind of level")
        }
        kind = read
      case "statePath": statePath = try [String](from: &reader)
      case "hasLogic": hasLogic = try reader.readBool()
      case "writesChildren": writesChildren = try reader.readBool()
      case "observes": observes = try [[String]]?(from: &reader)
      case "placementObstacle": placementObstacle = try String?(from: &reader)
      case "wrapping": wrapping = try [String](from: &reader)
      case "internal": internalCases = try [String](from: &reader)
      case "version": version = try Int(from: &reader)
      case "repeats":
        guard let read = Path(try reader.readString()) else { throw reader.error("not a path") }
        repeats = read
      case "shape": shape = try reader.readString()
      case "bindings": bindings = try [String](from: &reader)
      case "reads":
        reads = []
        for text in try [String](from: &reader) {
          guard let name = SharedName(text) else {
            throw reader.error("“\(text)” is not a field such as /settings#interval")
          }
          reads.append(name)
        }
      default: try reader.skipValue()
      }
    }
  }

  public static func shape(into shape: inout JSONShape) { shape.append("level") }
}
