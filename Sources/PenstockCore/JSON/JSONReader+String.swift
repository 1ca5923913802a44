extension JSONReader {
  public mutating func readString() throws(JSONError) -> String {
    let (range, hasEscapes) = try scanString()
    return try text(of: range, hasEscapes: hasEscapes)
  }

  /// Consumes a string; gives the bytes between its quotes.
  mutating func scanString() throws(JSONError) -> (range: Range<Int>, hasEscapes: Bool) {
    try expect(UInt8(ascii: "\""), "a string")
    let start = offset
    var hasEscapes = false
    while offset < end {
      switch bytes[offset] {
      case 0x22:
        offset += 1
        return (start..<(offset - 1), hasEscapes)
      case 0x5C:
        hasEscapes = true
        offset += 2
      case 0..<0x20: throw error("A control character stands unescaped in a string")
      default: offset += 1
      }
    }
    offset = end
    throw JSONError(offset: start - 1, message: "The string does not end")
  }

  func text(of range: Range<Int>, hasEscapes: Bool) throws(JSONError) -> String {
    if hasEscapes { return try unescape(range) }
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw JSONError(offset: range.lowerBound, message: "The string is not UTF-8")
    }
    return text
  }

  private func unescape(_ range: Range<Int>) throws(JSONError) -> String {
    var plain: Bytes = []
    plain.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      guard bytes[position] == 0x5C else {
        plain.append(bytes[position])
        position += 1
        continue
      }
      switch bytes[position + 1] {
      case 0x22: plain.append(0x22)
      case 0x5C: plain.append(0x5C)
      case 0x2F: plain.append(0x2F)
      case UInt8(ascii: "b"): plain.append(0x08)
      case UInt8(ascii: "f"): plain.append(0x0C)
      case UInt8(ascii: "n"): plain.append(0x0A)
      case UInt8(ascii: "r"): plain.append(0x0D)
      case UInt8(ascii: "t"): plain.append(0x09)
      case UInt8(ascii: "u"):
        let scalar = try unicodeEscape(&position, in: range)
        plain.append(contentsOf: Character(scalar).utf8)
        continue
      default: throw JSONError(offset: position, message: "Unknown escape in a string")
      }
      position += 2
    }
    guard let text = String(validating: plain, as: UTF8.self) else {
      throw JSONError(offset: range.lowerBound, message: "The string is not UTF-8")
    }
    return text
  }

  /// Reads `\uXXXX`, or a pair of them for a scalar beyond the first 65,536.
  private func unicodeEscape(
    _ position: inout Int, in range: Range<Int>
  ) throws(JSONError) -> Unicode.Scalar {
    let start = position
    let high = try codeUnit(at: &position, in: range)
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), position < range.upperBound, bytes[position] == 0x5C
    else { throw JSONError(offset: start, message: "Half of a surrogate pair in a string") }
    let low = try codeUnit(at: &position, in: range)
    let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) &- 0xDC00)
    guard (0xDC00..<0xE000).contains(low), let scalar = Unicode.Scalar(value) else {
      throw JSONError(offset: start, message: "Half of a surrogate pair in a string")
    }
    return scalar
  }

  private func codeUnit(
    at position: inout Int, in range: Range<Int>
  ) throws(JSONError) -> UInt16 {
    guard range.upperBound - position >= 6, bytes[position + 1] == UInt8(ascii: "u") else {
      throw JSONError(offset: position, message: "Expected four hexadecimal digits")
    }
    var value: UInt16 = 0
    for byte in bytes[(position + 2)..<(position + 6)] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default:
        throw JSONError(offset: position, message: "Expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
    }
    position += 6
    return value
  }
}
