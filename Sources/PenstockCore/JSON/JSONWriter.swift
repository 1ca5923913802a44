/// Appends JSON to bytes. It checks nothing: who encodes writes the brackets in pairs.
public struct JSONWriter: Sendable {
  public private(set) var bytes: Bytes = []

  public init(reserving capacity: Int = 0) {
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// The encoding of one value.
  public static func bytes(of value: some JSONCodable) -> Bytes {
    var writer = JSONWriter(reserving: 64)
    value.encode(to: &writer)
    return writer.bytes
  }

  /// Appends text that is JSON already, such as `{"name":`.
  @inlinable
  public mutating func raw(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes that are JSON already.
  public mutating func raw(_ encoded: some Sequence<UInt8>) { bytes.append(contentsOf: encoded) }

  @usableFromInline
  mutating func append(_ buffer: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: buffer) }

  public mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  public mutating func null() { raw("null") }

  public mutating func bool(_ value: Bool) {
    if value { raw("true") } else { raw("false") }
  }

  /// Integers of every width are plain decimal numbers, those above 2^53 too.
  public mutating func integer<I: FixedWidthInteger>(_ value: I) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    if rest < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest))
      return
    }
    let start = bytes.count
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  /// The shortest text that reads back as the same number; what JSON lacks is a string.
  public mutating func double(_ value: Double) {
    if value.isNaN {
      raw("\"nan\"")
    } else if value.isInfinite {
      if value < 0 { raw("\"-inf\"") } else { raw("\"inf\"") }
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  /// A string or member name; escapes only what JSON requires.
  public mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { buffer in
      if buffer.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
        for unit in buffer { escape(unit) }
      } else {
        bytes.append(contentsOf: buffer)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A member name of an object and its colon.
  public mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func escape(_ unit: UInt8) {
    switch unit {
    case 0x22: raw("\\\"")
    case 0x5C: raw("\\\\")
    case 0x08: raw("\\b")
    case 0x09: raw("\\t")
    case 0x0A: raw("\\n")
    case 0x0C: raw("\\f")
    case 0x0D: raw("\\r")
    case 0..<0x20:
      raw("\\u00")
      bytes.append(UInt8(ascii: "0") + unit >> 4)
      let low = unit & 0x0F
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(unit)
    }
  }
}
