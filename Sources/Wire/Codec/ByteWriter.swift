package import PenstockCore

/// Appends little-endian fields and length-prefixed bytes.
package struct ByteWriter {
  package var bytes: Bytes = []

  package init() {}

  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  package mutating func u8(_ value: UInt8) { bytes.append(value) }
  package mutating func u16(_ value: UInt16) { fixed(value) }
  package mutating func u32(_ value: UInt32) { fixed(value) }
  package mutating func u64(_ value: UInt64) { fixed(value) }
  package mutating func i64(_ value: Int64) { fixed(value) }

  @inline(__always)
  private mutating func fixed<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A span of time that is neither negative nor beyond the limit.
  package mutating func span(_ value: Int64) throws(WireError) {
    guard value >= 0, value <= Limits.time else {
      throw .malformed("\(value) µs is not a span of time.")
    }
    i64(value)
  }

  /// Zero bytes, at most 72: reserved places, and counts of lists that are empty.
  package mutating func zeros(_ count: Int) {
    let zeros: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
      0, 0, 0, 0, 0, 0, 0, 0, 0
    )
    withUnsafeBytes(of: zeros) {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  package mutating func raw(_ value: Bytes) { bytes.append(contentsOf: value) }

  /// A count that the limit bounds.
  package mutating func count(_ value: Int, limit: Int, _ what: StaticString) throws(WireError) {
    guard value <= limit else { throw .tooLarge(what, value, limit: limit) }
    u32(UInt32(value))
  }

  /// The rest of a body: no length of its own.
  package mutating func rest(_ value: Bytes, limit: Int, _ what: StaticString) throws(WireError) {
    guard value.count <= limit else { throw .tooLarge(what, value.count, limit: limit) }
    bytes.append(contentsOf: value)
  }

  package mutating func block(_ value: Bytes, limit: Int, _ what: StaticString) throws(WireError) {
    try count(value.count, limit: limit, what)
    bytes.append(contentsOf: value)
  }

  package mutating func name(_ value: String, _ what: StaticString) throws(WireError) {
    let size = value.utf8.count
    guard size <= Limits.name else { throw .tooLarge(what, size, limit: Limits.name) }
    u16(UInt16(size))
    bytes.append(contentsOf: value.utf8)
  }

  /// A sentence for people, cut off at the limit.
  package mutating func text(_ value: String) {
    var cut = value.unicodeScalars[...]
    while Substring(cut).utf8.count > Limits.text {
      // A scalar has at most four bytes, so this never cuts off too much.
      cut = cut.dropLast(max(1, (Substring(cut).utf8.count - Limits.text) / 4))
    }
    let bytesOfText = Substring(cut).utf8
    u16(UInt16(bytesOfText.count))
    bytes.append(contentsOf: bytesOfText)
  }

  package mutating func path(_ value: Path) throws(WireError) {
    let size = value.description.utf8.count
    guard size <= Limits.path else { throw .tooLarge("path", size, limit: Limits.path) }
    u16(UInt16(size))
    bytes.append(contentsOf: value.description.utf8)
  }
}
