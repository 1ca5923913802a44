package import PenstockCore

/// Reads what `ByteWriter` wrote; throws, never traps, whatever the bytes are.
package struct ByteReader {
  private let buffer: UnsafeRawBufferPointer
  package private(set) var position: Int
  private let end: Int

  package init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
    position = 0
    end = buffer.count
  }

  package var remaining: Int { end - position }

  package mutating func u8() throws(WireError) -> UInt8 { try fixed() }
  package mutating func u16() throws(WireError) -> UInt16 { try fixed() }
  package mutating func u32() throws(WireError) -> UInt32 { try fixed() }
  package mutating func u64() throws(WireError) -> UInt64 { try fixed() }
  package mutating func i64() throws(WireError) -> Int64 { try fixed() }

  @inline(__always)
  private mutating func fixed<Value: FixedWidthInteger & BitwiseCopyable>() throws(WireError)
    -> Value
  {
    let size = MemoryLayout<Value>.size
    guard end - position >= size else { throw ended(size) }
    let value = buffer.loadUnaligned(fromByteOffset: position, as: Value.self)
    position += size
    return Value(littleEndian: value)
  }

  /// Whether the next bytes, at most 16, are zeros; they are consumed then.
  package mutating func skipZeros(_ count: Int) -> Bool {
    guard remaining >= count else { return false }
    var any: UInt8 = 0
    for byte in buffer[position..<position + count] { any |= byte }
    if any == 0 { position += count }
    return any == 0
  }

  package mutating func span() throws(WireError) -> Int64 {
    let value = try i64()
    guard value >= 0, value <= Limits.time else {
      throw .malformed("\(value) µs is not a span of time.")
    }
    return value
  }

  package mutating func flag(_ what: StaticString) throws(WireError) -> Bool {
    switch try u8() {
    case 0: return false
    case 1: return true
    case let other: throw .malformed("\(what): \(other) is neither 0 nor 1.")
    }
  }

  /// A count of elements that take at least `size` bytes each, so that nothing is reserved for
  /// elements that can't be there.
  package mutating func count(limit: Int, size: Int, _ what: StaticString) throws(WireError)
    -> Int
  {
    let value = Int(try u32())
    guard value <= limit else { throw .tooLarge(what, value, limit: limit) }
    guard value * size <= remaining else { throw ended(value * size) }
    return value
  }

  package mutating func slice(_ size: Int) throws(WireError) -> UnsafeRawBufferPointer {
    guard size >= 0, end - position >= size else { throw ended(size) }
    defer { position += size }
    return UnsafeRawBufferPointer(rebasing: buffer[position..<position + size])
  }

  package mutating func rest(limit: Int, _ what: StaticString) throws(WireError) -> Bytes {
    guard remaining <= limit else { throw .tooLarge(what, remaining, limit: limit) }
    return Bytes(try slice(remaining))
  }

  package mutating func block(limit: Int, _ what: StaticString) throws(WireError) -> Bytes {
    Bytes(try slice(try count(limit: limit, size: 1, what)))
  }

  package mutating func name(_ what: StaticString) throws(WireError) -> String {
    try string(limit: Limits.name, what)
  }

  package mutating func text() throws(WireError) -> String {
    try string(limit: Limits.text, "text")
  }

  private mutating func string(limit: Int, _ what: StaticString) throws(WireError) -> String {
    let size = Int(try u16())
    guard size <= limit else { throw .tooLarge(what, size, limit: limit) }
    guard let text = Self.utf8(try slice(size)) else {
      throw .malformed("\(what): not UTF-8.")
    }
    return text
  }

  /// nil when the bytes are not UTF-8. ASCII, the common case, needs no general validation.
  private static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
      ? String(decoding: bytes.bindMemory(to: UInt8.self), as: UTF8.self)
      : String(validating: bytes, as: UTF8.self)
  }

  package mutating func path() throws(WireError) -> Path {
    guard let path = try optionalPath() else { throw .malformed("path: missing.") }
    return path
  }

  /// nil for a length of 0, which is "no path".
  package mutating func optionalPath() throws(WireError) -> Path? {
    let size = Int(try u16())
    guard size > 0 else { return nil }
    guard size <= Limits.path else { throw .tooLarge("path", size, limit: Limits.path) }
    let bytes = try slice(size)
    if Self.isPlain(bytes) {
      return Path(canonical: String(decoding: bytes.bindMemory(to: UInt8.self), as: UTF8.self))
    }
    guard let text = Self.utf8(bytes) else {
      throw .malformed("path: not UTF-8.")
    }
    guard let path = Path(text) else { throw .malformed("path: '\(text)' is not canonical.") }
    return path
  }

  /// Canonical ASCII without any escape: the common case, checked without touching characters.
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let slash = UInt8(ascii: "/")
    guard bytes[0] == slash else { return false }
    var previous = slash
    for byte in bytes.dropFirst() {
      if byte >= 0x80 || byte == UInt8(ascii: "%") || byte == slash && previous == slash {
        return false
      }
      previous = byte
    }
    return bytes.count == 1 || previous != slash
  }

  private func ended(_ size: Int) -> WireError {
    .malformed("\(size) bytes expected at \(position), \(end - position) left.")
  }
}
