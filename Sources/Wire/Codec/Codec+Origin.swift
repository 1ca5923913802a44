package import PenstockCore

/// Origins of records, as the journal and checkpoints hold them.
extension Codec {
  package static func encode(_ origin: Origin, _ writer: inout ByteWriter) throws(WireError) {
    switch origin {
    case .initial: writer.u8(0)
    case .client(let session, let sequence):
      writer.u8(1)
      writer.u64(session)
      writer.u64(sequence)
    case .send(let cause, let index):
      writer.u8(2)
      writer.u64(cause)
      writer.u32(index)
    case .output(let effect, let index, let isFinal):
      writer.u8(3)
      try encode(effect, &writer)
      writer.u32(index)
      writer.flag(isFinal)
    case .end(let effect):
      writer.u8(4)
      try encode(effect, &writer)
    case .timer(let effect, let due):
      writer.u8(5)
      try encode(effect, &writer)
      writer.i64(due)
    case .retry(let effect):
      writer.u8(6)
      try encode(effect, &writer)
    }
  }

  package static func decodeOrigin(_ body: inout ByteReader) throws(WireError) -> Origin {
    switch try body.u8() {
    case 0: return .initial
    case 1: return .client(session: try body.u64(), sequence: try body.u64())
    case 2: return .send(cause: try body.u64(), index: try body.u32())
    case 3:
      return .output(
        effect: try decodeEffectID(&body), index: try body.u32(), isFinal: try body.flag("final"))
    case 4: return .end(effect: try decodeEffectID(&body))
    case 5: return .timer(effect: try decodeEffectID(&body), due: try body.i64())
    case 6: return .retry(effect: try decodeEffectID(&body))
    case let other: throw .malformed("origin: kind \(other) is unknown.")
    }
  }
}
