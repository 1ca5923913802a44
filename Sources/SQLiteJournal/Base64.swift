import PenstockCore

/// Bytes as text, as in RFC 4648 with padding.
enum Base64 {
  private static let digits = Bytes(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: Bytes) -> String {
    var text: Bytes = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word: UInt32 = 0
      for index in 0..<3 {
        word = word << 8 | (index < group.count ? UInt32(group[start + index]) : 0)
      }
      for index in 0..<4 {
        let digit = digits[Int(word >> (18 - 6 * UInt32(index)) & 63)]
        text.append(index <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: nil when the text is not what `encode` makes.
  static func decode(_ text: String) -> Bytes? {
    guard text.utf8.count % 4 == 0 else { return nil }
    var bytes: Bytes = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var word: UInt32 = 0
    var count = 0
    for unit in text.utf8.prefix(while: { $0 != UInt8(ascii: "=") }) {
      guard let digit = value(of: unit) else { return nil }
      word = word << 6 | digit
      count += 1
      if count % 4 == 0 {
        bytes += [UInt8(word >> 16), UInt8(word >> 8 & 255), UInt8(word & 255)]
        word = 0
      }
    }
    switch count % 4 {
    case 2: bytes.append(UInt8(word >> 4 & 255))
    case 3: bytes += [UInt8(word >> 10 & 255), UInt8(word >> 2 & 255)]
    default: break
    }
    return encode(bytes) == text ? bytes : nil
  }

  private static func value(of unit: UInt8) -> UInt32? {
    switch unit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(unit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(unit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(unit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
