/// Reads JSON from bytes, strictly: no comments, no trailing commas, UTF-8 only, bounded nesting.
///
/// Objects are read member by member without making strings of their names:
/// `try reader.beginObject(); while try reader.nextMember() { if reader.isKey("number") … }`.
public struct JSONReader: Sendable {
  /// How deep arrays and objects may be nested.
  public static let maximumDepth = 128

  public let bytes: Bytes
  public internal(set) var offset: Int
  let end: Int
  var depth = 0
  /// Whether the next member or element is the first of its container.
  var isFirst = false
  /// The bytes between the quotes of the last member name or case name.
  public internal(set) var key: Range<Int>
  /// The name itself when it was written with escapes.
  var escapedKey: String?

  public init(_ bytes: Bytes) { self.init(bytes, range: 0..<bytes.count) }

  /// Reads a part of the bytes; offsets of errors still count from the start.
  public init(_ bytes: Bytes, range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    key = range.lowerBound..<range.lowerBound
  }

  /// Decodes one value that is the whole text.
  public static func decode<T: JSONCodable>(
    _ type: T.Type = T.self, from bytes: Bytes
  ) throws(JSONError) -> T {
    var reader = JSONReader(bytes)
    let value = try T(from: &reader)
    try reader.finish()
    return value
  }

  /// Throws unless only white space is left.
  public mutating func finish() throws(JSONError) {
    skipSpace()
    if offset != end { throw error("There is more text after the value") }
  }

  public func error(_ message: String) -> JSONError { JSONError(offset: offset, message: message) }

  /// The next byte that is not white space; it is not consumed.
  public mutating func peek() throws(JSONError) -> UInt8 {
    skipSpace()
    guard offset < end else { throw error("The text ends too early") }
    return bytes[offset]
  }

  mutating func skipSpace() {
    while offset < end {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  mutating func expect(_ byte: UInt8, _ what: StaticString) throws(JSONError) {
    guard try peek() == byte else { throw error("Expected \(what)") }
    offset += 1
  }

  // MARK: Scalars

  /// Consumes `null` if that is what comes next.
  public mutating func readNull() throws(JSONError) -> Bool {
    guard try peek() == UInt8(ascii: "n") else { return false }
    try readWord("null")
    return true
  }

  public mutating func readBool() throws(JSONError) -> Bool {
    switch try peek() {
    case UInt8(ascii: "t"):
      try readWord("true")
      return true
    case UInt8(ascii: "f"):
      try readWord("false")
      return false
    default: throw error("Expected true or false")
    }
  }

  mutating func readWord(_ word: StaticString) throws(JSONError) {
    let count = word.utf8CodeUnitCount
    guard end - offset >= count else { throw error("Expected \(word)") }
    for index in 0..<count where bytes[offset + index] != word.utf8Start[index] {
      throw error("Expected \(word)")
    }
    offset += count
  }

  public mutating func readInteger<I: FixedWidthInteger>(
    _ type: I.Type = I.self
  ) throws(JSONError) -> I {
    let isNegative = try peek() == UInt8(ascii: "-")
    let start = offset
    if isNegative { offset += 1 }
    let digits = offset
    var value: I = 0
    while offset < end, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) =
        isNegative
        ? tens.subtractingReportingOverflow(I(digit)) : tens.addingReportingOverflow(I(digit))
      if overflow || overflow2 {
        throw JSONError(offset: start, message: "The number does not fit \(I.self)")
      }
      value = sum
      offset += 1
    }
    guard offset > digits, offset - digits == 1 || bytes[digits] != UInt8(ascii: "0") else {
      throw JSONError(offset: start, message: "Expected an integer")
    }
    if offset < end, case let next = bytes[offset], next == 0x2E || next == 0x65 || next == 0x45 {
      throw JSONError(offset: start, message: "Expected an integer")
    }
    return value
  }

  public mutating func readDouble() throws(JSONError) -> Double {
    if try peek() == UInt8(ascii: "\"") {
      switch try readString() {
      case "nan": return .nan
      case "inf": return .infinity
      case "-inf": return -.infinity
      default: throw error("Expected a number")
      }
    }
    let start = offset
    try skipNumber()
    guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
      throw JSONError(offset: start, message: "Expected a number")
    }
    return value
  }

  /// Consumes a number of JSON's grammar.
  mutating func skipNumber() throws(JSONError) {
    let start = offset
    func fail() -> JSONError { JSONError(offset: start, message: "Expected a number") }
    if offset < end, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let digits = offset
    guard skipDigits(), offset - digits == 1 || bytes[digits] != UInt8(ascii: "0") else {
      throw fail()
    }
    if offset < end, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      guard skipDigits() else { throw fail() }
    }
    if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < end, bytes[offset] == 0x2B || bytes[offset] == 0x2D { offset += 1 }
      guard skipDigits() else { throw fail() }
    }
  }

  private mutating func skipDigits() -> Bool {
    let start = offset
    while offset < end, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    return offset > start
  }
}
