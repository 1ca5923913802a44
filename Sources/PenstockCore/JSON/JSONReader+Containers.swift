extension JSONReader {
  // MARK: Objects

  public mutating func beginObject() throws(JSONError) {
    try expect(UInt8(ascii: "{"), "an object")
    try enter()
  }

  /// Goes to the value of the next member, whose name is then `key`; false at the object's end.
  public mutating func nextMember() throws(JSONError) -> Bool {
    guard try nextItem(before: UInt8(ascii: "}")) else { return false }
    try readKey()
    try expect(UInt8(ascii: ":"), "a colon")
    return true
  }

  /// Whether the last member or case has this name.
  public func isKey(_ name: StaticString) -> Bool {
    if let escapedKey { return escapedKey == "\(name)" }
    let count = name.utf8CodeUnitCount
    guard key.count == count else { return false }
    return bytes.withUnsafeBufferPointer { buffer in
      for index in 0..<count where buffer[key.lowerBound + index] != name.utf8Start[index] {
        return false
      }
      return true
    }
  }

  /// The name of the last member or case.
  public func keyText() throws(JSONError) -> String {
    if let escapedKey { return escapedKey }
    return try text(of: key, hasEscapes: false)
  }

  mutating func readKey() throws(JSONError) {
    let (range, hasEscapes) = try scanString()
    key = range
    escapedKey = hasEscapes ? try text(of: range, hasEscapes: true) : nil
  }

  // MARK: Arrays

  public mutating func beginArray() throws(JSONError) {
    try expect(UInt8(ascii: "["), "an array")
    try enter()
  }

  /// Goes to the next element; false at the array's end.
  public mutating func nextElement() throws(JSONError) -> Bool {
    try nextItem(before: UInt8(ascii: "]"))
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    if depth > JSONReader.maximumDepth {
      throw error("Arrays and objects are nested deeper than \(JSONReader.maximumDepth)")
    }
    isFirst = true
  }

  private mutating func nextItem(before close: UInt8) throws(JSONError) -> Bool {
    if try peek() == close {
      offset += 1
      depth -= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
    } else {
      try expect(UInt8(ascii: ","), "a comma or the end")
      if try peek() == close { throw error("A comma stands before the end") }
    }
    return true
  }

  // MARK: Enum cases

  /// Reads `"name"` or goes to the value in `{"name":VALUE}`; `key` is the name then.
  /// - Returns: whether there is a value; `endCase` comes after it.
  public mutating func beginCase() throws(JSONError) -> Bool {
    if try peek() == UInt8(ascii: "\"") {
      try readKey()
      return false
    }
    try beginObject()
    guard try nextMember() else { throw error("Expected the name of a case") }
    return true
  }

  public mutating func endCase() throws(JSONError) {
    guard try !nextMember() else { throw error("Expected one case only") }
  }

  // MARK: Skipping

  /// Consumes any value.
  public mutating func skipValue() throws(JSONError) {
    switch try peek() {
    case UInt8(ascii: "{"):
      try beginObject()
      while try nextMember() { try skipValue() }
    case UInt8(ascii: "["):
      try beginArray()
      while try nextElement() { try skipValue() }
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try readWord("true")
    case UInt8(ascii: "f"): try readWord("false")
    case UInt8(ascii: "n"): try readWord("null")
    default: try skipNumber()
    }
  }

  /// Consumes any value and gives its bytes.
  public mutating func readRaw() throws(JSONError) -> Range<Int> {
    _ = try peek()
    let start = offset
    try skipValue()
    return start..<offset
  }
}
