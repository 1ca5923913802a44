import PenstockCore

/// Chains the journal's entries: each hash covers its entry and all before it, so a damaged, missing
/// or moved entry is noticed at the first one that follows. It guards against accidents, not against
/// somebody who wants to forge an order.
package struct HashChain: Hashable, Sendable {
  /// The hash so far; 0 before the first entry.
  package private(set) var value: UInt64

  package init(_ value: UInt64 = 0) { self.value = value }

  package mutating func append(_ entry: JournalEntry) {
    switch entry {
    case .start(let number, let now):
      mix(1)
      mix(UInt64(number))
      mix(UInt64(bitPattern: now))
    case .record(let record):
      mix(2)
      mix(record.sequence)
      mix(record.path.description.utf8)
      mix(record.payload)
      mix(UInt64(bitPattern: record.now))
      mix(record.seed)
      mix(record.origin)
      mix(record.correlation)
    case .mark(let sequence, let reason):
      mix(3)
      mix(sequence)
      mix(UInt64(reason.rawValue))
    case .checkpoint(let sequence, let body):
      mix(4)
      mix(sequence)
      mix(body)
    case .build(let sequence, let path, let build):
      mix(5)
      mix(sequence)
      mix(path.description.utf8)
      mix(build)
    }
  }

  private mutating func mix(_ origin: Origin) {
    switch origin {
    case .initial: mix(1)
    case .client(let session, let sequence):
      mix(2)
      mix(session)
      mix(sequence)
    case .send(let cause, let index):
      mix(3)
      mix(cause)
      mix(UInt64(index))
    case .output(let effect, let index, let isFinal):
      mix(isFinal ? 5 : 4)
      mix(effect)
      mix(UInt64(index))
    case .end(let effect):
      mix(6)
      mix(effect)
    case .timer(let effect, let due):
      mix(7)
      mix(effect)
      mix(UInt64(bitPattern: due))
    case .retry(let effect):
      mix(8)
      mix(effect)
    }
  }

  private mutating func mix(_ effect: EffectID) {
    mix(effect.sequence)
    mix(effect.path.description.utf8)
    mix(UInt64(effect.index))
  }

  /// One well-mixed step: the halves of a 128-bit product, folded.
  private mutating func mix(_ word: UInt64) {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15 ^ word).multipliedFullWidth(
      by: 0xBF58_476D_1CE4_E5B9 ^ (word &<< 32 | word &>> 32))
    value = product.high ^ product.low ^ (value &<< 17 | value &>> 47) &+ word
  }

  private mutating func mix(_ text: String.UTF8View) {
    if text.withContiguousStorageIfAvailable({ mix(UnsafeRawBufferPointer($0)) }) == nil {
      mix(Array(text))
    }
  }

  private mutating func mix(_ bytes: Bytes) {
    bytes.withUnsafeBytes { mix($0) }
  }

  private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    mix(UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(rest)
  }
}
