import PenstockCore

/// Values that a stage reads of other features (R15).
extension Codec {
  static func encode(_ shared: [SharedReading], _ writer: inout ByteWriter) throws(WireError) {
    try writer.count(shared.count, limit: Limits.sharedValues, "shared values")
    for reading in shared {
      try writer.path(reading.name.path)
      try writer.name(reading.name.field, "field")
      try writer.block(reading.value, limit: Limits.state, "shared value")
    }
  }

  static func decodeShared(_ body: inout ByteReader) throws(WireError) -> [SharedReading] {
    var shared: [SharedReading] = []
    for _ in 0..<(try body.count(limit: Limits.sharedValues, size: 8, "shared values")) {
      let path = try body.path()
      let field = try body.name("field")
      shared.append(
        SharedReading(
          name: SharedName(path: path, field: field),
          value: try body.block(limit: Limits.state, "shared value")))
    }
    return shared
  }
}
