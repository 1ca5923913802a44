/// The head of each frame: what the link needs to make its transport reliable and ordered.
package struct LinkHeader: Hashable, Sendable {
  package struct Flags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sender has not heard of the receiver yet: this may begin a link.
    package static let start = Flags(rawValue: 1)
    /// The sender knows no such link: the receiver begins a new one. No messages.
    package static let reset = Flags(rawValue: 2)
    /// The link ends with the one message in this frame, `refused`, which has no sequence.
    package static let reject = Flags(rawValue: 4)
    /// Messages above `acknowledged` arrived, but the next one did not.
    package static let gap = Flags(rawValue: 8)

    static let known: UInt8 = 15
  }

  package static let size = 56
  package static let magic: (UInt8, UInt8) = (0x50, 0x53)
  package static let version: UInt8 = 1

  package var flags: Flags
  package var sender: UInt64
  /// 0 while it is unknown.
  package var receiver: UInt64
  /// Link sequence of the first message; without messages, of the next one to be sent.
  package var first: UInt64
  /// Everything up to this link sequence was received.
  package var acknowledged: UInt64
  /// The highest link sequence that the receiver of this frame may use.
  package var credit: UInt64
  package var count: UInt16

  package init(
    flags: Flags = [], sender: UInt64, receiver: UInt64, first: UInt64 = 0,
    acknowledged: UInt64 = 0, credit: UInt64 = 0, count: UInt16 = 0
  ) {
    self.flags = flags
    self.sender = sender
    self.receiver = receiver
    self.first = first
    self.acknowledged = acknowledged
    self.credit = credit
    self.count = count
  }

  func encode(into writer: inout ByteWriter, length: Int) {
    writer.u8(Self.magic.0)
    writer.u8(Self.magic.1)
    writer.u8(Self.version)
    writer.u8(flags.rawValue)
    writer.u32(UInt32(length))
    writer.u64(sender)
    writer.u64(receiver)
    writer.u64(first)
    writer.u64(acknowledged)
    writer.u64(credit)
    writer.u16(count)
    writer.u16(0)
    writer.u32(0)
  }

  init(_ reader: inout ByteReader) throws(WireError) {
    let total = reader.remaining
    guard total >= 3 else { throw .malformed("frame: \(total) bytes are not a frame.") }
    guard try reader.u8() == Self.magic.0, try reader.u8() == Self.magic.1 else {
      throw .malformed("frame: does not begin with 'PS'.")
    }
    let version = try reader.u8()
    guard version == Self.version else {
      throw WireError(
        code: .unknownVersion, message: "frame: version \(version), known is \(Self.version).")
    }
    guard total <= Limits.frame else { throw .tooLarge("frame", total, limit: Limits.frame) }
    guard total >= Self.size else {
      throw .malformed("frame: \(total) bytes are less than its header.")
    }
    let flags = try reader.u8()
    let length = try reader.u32()
    guard length == total else {
      throw .malformed("frame: says \(length) bytes, has \(total).")
    }
    guard flags & ~Flags.known == 0 else {
      throw .malformed("frame: unknown flags \(flags).")
    }
    self.flags = Flags(rawValue: flags)
    sender = try reader.u64()
    receiver = try reader.u64()
    first = try reader.u64()
    acknowledged = try reader.u64()
    credit = try reader.u64()
    count = try reader.u16()
    guard try reader.u16() == 0, try reader.u32() == 0 else {
      throw .malformed("frame: reserved bytes are not 0.")
    }
    guard sender != 0 else { throw .malformed("frame: the sender has no incarnation.") }
    guard Int(count) <= Limits.messagesPerFrame else {
      throw .tooLarge("messages", Int(count), limit: Limits.messagesPerFrame)
    }
    guard first <= UInt64.max - UInt64(count) else {
      throw .malformed("frame: link sequence \(first) leaves no room.")
    }
  }
}
