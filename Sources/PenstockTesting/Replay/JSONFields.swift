import PenstockCore

/// The members of one JSON object.
struct JSONFields {
  private let bytes: Bytes
  private var values: [String: Range<Int>] = [:]

  init(_ bytes: Bytes, range: Range<Int>? = nil) throws(JSONError) {
    self.bytes = bytes
    var reader = range.map { JSONReader(bytes, range: $0) } ?? JSONReader(bytes)
    try reader.beginObject()
    while try reader.nextMember() {
      let name = try reader.keyText()
      values[name] = try reader.readRaw()
    }
    if range == nil { try reader.finish() }
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func error(_ message: String) -> JSONError { JSONError(offset: 0, message: message) }

  func raw(_ name: String) -> Bytes? { values[name].map { Bytes(bytes[$0]) } }

  func text(_ name: String) throws(JSONError) -> String {
    var reader = try reader(name)
    return try reader.readString()
  }

  /// nil when the member is `null` or absent.
  func optionalText(_ name: String) throws(JSONError) -> String? {
    guard has(name) else { return nil }
    var reader = try reader(name)
    return try reader.readNull() ? nil : try reader.readString()
  }

  func integer<I: FixedWidthInteger>(_ name: String) throws(JSONError) -> I {
    var reader = try reader(name)
    return try reader.readInteger()
  }

  func elements(_ name: String) throws(JSONError) -> [Bytes] {
    var reader = try reader(name)
    var elements: [Bytes] = []
    try reader.beginArray()
    while try reader.nextElement() { elements.append(Bytes(bytes[try reader.readRaw()])) }
    return elements
  }

  private func reader(_ name: String) throws(JSONError) -> JSONReader {
    guard let range = values[name] else { throw error("it has no \(name)") }
    return JSONReader(bytes, range: range)
  }
}
