import PenstockCore
import Wire

/// Encoded messages one after the other, from the oldest that is not acknowledged on: a frame is a
/// piece of it.
///
/// Messages are known by their link sequences; the first ever has 1.
struct Outbox {
  private var writer = ByteWriter()
  /// Bytes of acknowledged messages that still stand before the first one.
  private var dead = 0
  /// Where each message ends, counted in all bytes since the link began.
  private var ends = Deque<Int>()
  /// Where the first byte of `writer` stands in the same count.
  private var start = 0
  /// The link sequence of the oldest message.
  private(set) var base: UInt64 = 1

  var count: Int { ends.count }
  /// The link sequence of the next message.
  var next: UInt64 { base + UInt64(ends.count) }
  var bytes: Int { writer.bytes.count - dead }

  /// - Throws: when the message exceeds a limit; nothing is appended then.
  mutating func append(_ message: Message) throws(WireError) {
    try Codec.encode(message, into: &writer)
    ends.append(start + writer.bytes.count)
  }

  /// Bytes of the messages from one link sequence up to another.
  func size(from first: UInt64, below end: UInt64) -> Int { place(of: end) - place(of: first) }

  /// Where a message begins, counted in all bytes since the link began.
  private func place(of sequence: UInt64) -> Int {
    sequence == base ? start + dead : ends[Int(sequence - base) - 1]
  }

  /// The end of the longest batch from `first` on, of at least one message, within the bounds.
  func batch(from first: UInt64, below end: UInt64, messages: Int, bytes: Int) -> UInt64 {
    let limit = min(end, first + UInt64(messages))
    let most = place(of: first) + bytes
    if place(of: limit) <= most { return limit }
    var last = first + 1
    while last < limit, place(of: last + 1) <= most { last += 1 }
    return last
  }

  /// Forgets the messages before the link sequence.
  mutating func removeAll(below sequence: UInt64) {
    guard sequence > base else { return }
    dead = place(of: sequence) - start
    ends.removeFirst(Int(sequence - base))
    base = sequence
    // Moving what is left costs no more than what went.
    guard dead * 2 >= writer.bytes.count else { return }
    if dead == writer.bytes.count {
      // A burst's memory goes back.
      writer.bytes.removeAll(keepingCapacity: dead <= Self.keptCapacity)
    } else {
      writer.bytes.removeFirst(dead)
    }
    start += dead
    dead = 0
  }

  private static var keptCapacity: Int { 1 << 20 }

  func frame(_ header: LinkHeader, from first: UInt64, below end: UInt64) -> Bytes {
    let range = place(of: first) - start..<place(of: end) - start
    return writer.bytes.withUnsafeBytes { bytes in
      Codec.join(
        header, count: Int(end - first), UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }
}
