package import PenstockCore

/// Writes one JSON object, member by member.
package struct JSONMembers: Sendable {
  private var writer = JSONWriter(reserving: 256)
  private var isFirst = true

  package init() {}

  private mutating func name(_ name: String) {
    writer.byte(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ","))
    isFirst = false
    writer.key(name)
  }

  package mutating func text(_ name: String, _ value: String) {
    self.name(name)
    writer.string(value)
  }

  package mutating func integer(_ name: String, _ value: some FixedWidthInteger) {
    self.name(name)
    writer.integer(value)
  }

  package mutating func bool(_ name: String, _ value: Bool) {
    self.name(name)
    writer.bool(value)
  }

  package mutating func null(_ name: String) {
    self.name(name)
    writer.null()
  }

  /// Bytes that are JSON already.
  package mutating func raw(_ name: String, _ value: Bytes) {
    self.name(name)
    writer.raw(value)
  }

  package mutating func optional(_ name: String, _ value: String?) {
    if let value { text(name, value) } else { null(name) }
  }

  package mutating func optional(_ name: String, _ value: (some FixedWidthInteger)?) {
    if let value { integer(name, value) } else { null(name) }
  }

  package consuming func finished() -> Bytes {
    if isFirst { writer.byte(UInt8(ascii: "{")) }
    writer.byte(UInt8(ascii: "}"))
    return writer.bytes
  }
}
