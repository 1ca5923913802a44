import PenstockCore
package import Wire

extension Vectors {
  /// The text of `Protocols/vectors/frames.json`.
  package static func framesFile() throws(WireError) -> String {
    var lines: [String] = []
    for valid in valid {
      let bytes = try Codec.encode(valid.frame)
      let header = valid.frame.header
      let value = VectorValue.members([
        "name": .string(valid.name), "hex": .hex(bytes),
        "link": .members([
          "flags": .number(UInt64(header.flags.rawValue)), "sender": .number(header.sender),
          "receiver": .number(header.receiver), "first": .number(header.first),
          "acknowledged": .number(header.acknowledged), "credit": .number(header.credit),
        ]), "messages": .list(try messages(valid.frame.messages)),
      ])
      lines.append(value.text)
    }
    return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }

  private static func messages(_ messages: [Message]) throws(WireError) -> [VectorValue] {
    var result: [VectorValue] = []
    for message in messages {
      let bytes = try Codec.encode(message)
      result.append(
        try bytes.withUnsafeBytes { buffer in
          Result { () throws(WireError) in try value(message, ByteReader(buffer)) }
        }.get())
    }
    return result
  }

  /// Reads the message header field by field, in the order that the specification states.
  private static func value(_ message: Message, _ reader: ByteReader) throws(WireError)
    -> VectorValue
  {
    var reader = reader
    let verb = try reader.u8()
    let format = try reader.u8()
    let flags = try reader.u16()
    _ = try reader.u32()
    let sequence = try reader.u64()
    let epoch = (try reader.u32(), try reader.u32())
    let generation = (try reader.u64(), try reader.u32())
    let effectIndex = try reader.u32()
    let cause = try reader.u64()
    let correlation = try reader.u64()
    let effectSequence = try reader.u64()
    let attempt = (try reader.u32(), try reader.u32())
    let path = try reader.optionalPath()
    return .members([
      "verb": .number(UInt64(verb)), "format": .number(UInt64(format)),
      "flags": .number(UInt64(flags)), "sequence": .number(sequence),
      "epoch": .list([.number(epoch.0), .number(epoch.1)]),
      "generation": .list([.number(generation.0), .number(generation.1)]),
      "cause": .number(cause), "correlation": .number(correlation),
      "effect": .list([.number(effectSequence), .number(effectIndex)]),
      "attempt": .list([.number(attempt.0), .number(attempt.1)]),
      "path": path.map { .string($0.description) } ?? .null,
      "body": VectorValue.body(of: message),
    ])
  }

  /// The text of `Protocols/vectors/malformed.json`.
  package static func malformedFile() -> String {
    let lines = malformed.map { vector in
      VectorValue.members([
        "name": .string(vector.name), "hex": .hex(vector.bytes),
        "error": .string(vector.code.word),
      ]).text
    }
    return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}
