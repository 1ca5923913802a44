package import PenstockCore

/// Objects and arrays by hand. A comma is due unless the value is the first inside its bracket.
extension JSONWriter {
  package mutating func object(_ body: (inout JSONWriter) -> Void) {
    byte(UInt8(ascii: "{"))
    body(&self)
    byte(UInt8(ascii: "}"))
  }

  package mutating func array(_ body: (inout JSONWriter) -> Void) {
    byte(UInt8(ascii: "["))
    body(&self)
    byte(UInt8(ascii: "]"))
  }

  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    if bytes.last != UInt8(ascii: "{") { byte(UInt8(ascii: ",")) }
    key(name)
    value(&self)
  }

  package mutating func element(_ value: (inout JSONWriter) -> Void) {
    if bytes.last != UInt8(ascii: "[") { byte(UInt8(ascii: ",")) }
    value(&self)
  }

  package mutating func text(_ value: String?) { if let value { string(value) } else { null() } }

  package mutating func number(_ value: (some FixedWidthInteger)?) {
    if let value { integer(value) } else { null() }
  }

  package mutating func value(_ value: some JSONCodable) { value.encode(to: &self) }
}
