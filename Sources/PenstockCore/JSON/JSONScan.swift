/// Finds places in encoded JSON without types. White space is tolerated, errors give nil.
public enum JSONScan {
  /// The members of an object in their order, with the bytes of each value.
  public static func members(
    of bytes: Bytes, in range: Range<Int>? = nil
  ) -> [(key: String, value: Range<Int>)]? {
    var reader = JSONReader(bytes, range: range ?? 0..<bytes.count)
    return try? members(of: &reader)
  }

  /// How many arrays and objects stand in each other; 0 for a number.
  package static func depth(of bytes: Bytes) -> Int {
    var depth = 0
    var deepest = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isInString = byte != UInt8(ascii: "\"")
        isEscaped = byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
    }
    return deepest
  }

  static func members(
    of reader: inout JSONReader
  ) throws(JSONError) -> [(key: String, value: Range<Int>)] {
    var members: [(key: String, value: Range<Int>)] = []
    try reader.beginObject()
    while try reader.nextMember() {
      members.append((try reader.keyText(), try reader.readRaw()))
    }
    try reader.finish()
    return members
  }

  /// The bytes of the value that is reached by member names.
  public static func value(
    at path: [String], in bytes: Bytes, range: Range<Int>? = nil
  ) -> Range<Int>? {
    var reader = JSONReader(bytes, range: range ?? 0..<bytes.count)
    return try? value(at: path[...], in: &reader)
  }

  private static func value(
    at path: ArraySlice<String>, in reader: inout JSONReader
  ) throws(JSONError) -> Range<Int>? {
    guard let name = path.first else { return try reader.readRaw() }
    guard try reader.peek() == UInt8(ascii: "{") else { return nil }
    try reader.beginObject()
    while try reader.nextMember() {
      if try reader.keyText() == name { return try value(at: path.dropFirst(), in: &reader) }
      try reader.skipValue()
    }
    return nil
  }

  /// The case of an encoded enum: `"name"` has no value, `{"name":VALUE}` has one.
  public struct Case: Hashable, Sendable {
    public var key: String
    public var value: Range<Int>?
    /// Whether it is the only member, as it is for an enum's case.
    public var isOnlyMember: Bool

    public init(key: String, value: Range<Int>?, isOnlyMember: Bool) {
      self.key = key
      self.value = value
      self.isOnlyMember = isOnlyMember
    }
  }

  public static func firstKey(of bytes: Bytes, in range: Range<Int>? = nil) -> Case? {
    var reader = JSONReader(bytes, range: range ?? 0..<bytes.count)
    return try? firstKey(of: &reader)
  }

  /// The bytes of an encoded enum's case name, found without looking at the rest; nil when the text
  /// does not begin with one that is written plainly.
  public static func caseName(of bytes: Bytes) -> ArraySlice<UInt8>? {
    let start: Int
    switch bytes.first {
    case UInt8(ascii: "\""): start = 1
    case UInt8(ascii: "{"):
      guard bytes.count > 1, bytes[1] == UInt8(ascii: "\"") else { return nil }
      start = 2
    default: return nil
    }
    let end = bytes.withUnsafeBufferPointer { bytes -> Int? in
      var index = start
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""): return index
        case UInt8(ascii: "\\"), 0..<0x20, 0x80...: return nil
        default: index += 1
        }
      }
      return nil
    }
    return end.map { bytes[start..<$0] }
  }

  /// The name of an encoded enum's case, as a decoder reads it: with escapes, and after white space.
  public static func caseText(of bytes: Bytes) -> String? {
    if let plain = caseName(of: bytes) { return String(decoding: plain, as: UTF8.self) }
    var reader = JSONReader(bytes)
    guard (try? reader.beginCase()) != nil else { return nil }
    return try? reader.keyText()
  }

  private static func firstKey(of reader: inout JSONReader) throws(JSONError) -> Case {
    guard try reader.beginCase() else {
      let key = try reader.keyText()
      try reader.finish()
      return Case(key: key, value: nil, isOnlyMember: true)
    }
    let key = try reader.keyText()
    let value = try reader.readRaw()
    return Case(key: key, value: value, isOnlyMember: try !reader.nextMember())
  }

  /// `{"a":{"b":VALUE}}` for the names a and b: how an output or an action is wrapped in cases.
  public static func wrap(_ value: Bytes, in names: [String]) -> Bytes {
    var writer = JSONWriter(reserving: value.count + names.count * 12)
    for name in names {
      writer.byte(UInt8(ascii: "{"))
      writer.key(name)
    }
    writer.raw(value)
    for _ in names { writer.byte(UInt8(ascii: "}")) }
    return writer.bytes
  }
}
