import PenstockCore

/// The fixed head of each message. Fields that a verb does not use are 0 and ignored.
struct MessageHeader {
  static let size = 72

  var verb: Verb
  var flags: UInt16 = 0
  var bodyLength: Int = 0
  var sequence: UInt64 = 0
  var epoch = Epoch.zero
  var generationSequence: UInt64 = 0
  var generationOrdinal: UInt32 = 0
  var effectIndex: UInt32 = 0
  var cause: UInt64 = 0
  var correlation: UInt64 = 0
  var effectSequence: UInt64 = 0
  var attempt = Attempt(start: 0, number: 0)

  init(_ verb: Verb, sequence: UInt64 = 0, epoch: Epoch = .zero) {
    self.verb = verb
    self.sequence = sequence
    self.epoch = epoch
  }

  init(_ verb: Verb, effect: EffectID, attempt: Attempt) {
    self.verb = verb
    effectSequence = effect.sequence
    effectIndex = effect.index
    cause = effect.sequence
    self.attempt = attempt
  }

  /// Overwrites the bytes that were reserved for it.
  func store(in bytes: inout Bytes, at offset: Int) {
    bytes.withUnsafeMutableBytes { all in
      func put<Value: FixedWidthInteger>(_ value: Value, _ at: Int) {
        all.storeBytes(of: value.littleEndian, toByteOffset: offset + at, as: Value.self)
      }
      put(verb.rawValue, 0)
      put(verb.format.rawValue, 1)
      put(flags, 2)
      put(UInt32(bodyLength), 4)
      put(sequence, 8)
      put(epoch.start, 16)
      put(epoch.squash, 20)
      put(generationSequence, 24)
      put(generationOrdinal, 32)
      put(effectIndex, 36)
      put(cause, 40)
      put(correlation, 48)
      put(effectSequence, 56)
      put(attempt.start, 64)
      put(attempt.number, 68)
    }
  }

  init(_ reader: inout ByteReader) throws(WireError) {
    let bytes = try reader.slice(Self.size)
    func get<Value: FixedWidthInteger & BitwiseCopyable>(_ at: Int) -> Value {
      Value(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: Value.self))
    }
    let code: UInt8 = get(0)
    let format: UInt8 = get(1)
    flags = get(2)
    bodyLength = Int(get(4) as UInt32)
    sequence = get(8)
    epoch = Epoch(start: get(16), squash: get(20))
    generationSequence = get(24)
    generationOrdinal = get(32)
    effectIndex = get(36)
    cause = get(40)
    correlation = get(48)
    effectSequence = get(56)
    attempt = Attempt(start: get(64), number: get(68))
    guard bodyLength <= reader.remaining else {
      throw .malformed("message: says \(bodyLength) bytes, \(reader.remaining) are left.")
    }
    guard let verb = Verb(rawValue: code) else {
      throw WireError(code: .unknownVerb, message: "message: verb \(code) is unknown.")
    }
    guard format == verb.format.rawValue else {
      throw .malformed("\(verb): payload format \(format), expected \(verb.format.rawValue).")
    }
    self.verb = verb
  }
}
