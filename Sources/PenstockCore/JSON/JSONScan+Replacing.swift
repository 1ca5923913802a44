extension JSONScan {
  /// Puts another value in each place that is reached by member names, `*` being every member.
  /// Where there is nothing, or `null`, nothing is replaced.
  package static func replacing(
    at path: ArraySlice<String>, in bytes: Bytes, _ body: (Bytes) throws -> Bytes
  ) throws -> Bytes {
    guard let name = path.first else {
      return bytes.elementsEqual("null".utf8) ? bytes : try body(bytes)
    }
    guard bytes.first == UInt8(ascii: "{"), let members = members(of: bytes) else { return bytes }
    var writer = JSONWriter(reserving: bytes.count)
    writer.byte(UInt8(ascii: "{"))
    for (index, (key, range)) in members.enumerated() {
      if index > 0 { writer.byte(UInt8(ascii: ",")) }
      writer.key(key)
      let value = Bytes(bytes[range])
      let isMeant = name == "*" || key == name
      writer.raw(isMeant ? try replacing(at: path.dropFirst(), in: value, body) : value)
    }
    writer.byte(UInt8(ascii: "}"))
    return writer.bytes
  }
}
