package import PenstockCore

/// Frames and messages to bytes and back, as `Protocols/1-FRAME.md` says. Decoding throws and never
/// traps, whatever the bytes; encoding throws when a limit is exceeded.
package enum Codec {
  package static func encode(_ frame: Frame) throws(WireError) -> Bytes {
    guard frame.messages.count <= Limits.messagesPerFrame else {
      throw .tooLarge("messages", frame.messages.count, limit: Limits.messagesPerFrame)
    }
    var messages: [Bytes] = []
    for message in frame.messages { messages.append(try encode(message)) }
    let length = messages.reduce(LinkHeader.size) { $0 + $1.count }
    guard length <= Limits.frame else { throw .tooLarge("frame", length, limit: Limits.frame) }
    return join(frame.header, messages[...])
  }

  /// A frame of messages that are encoded already; the caller keeps to the limits.
  package static func join(_ header: LinkHeader, _ messages: ArraySlice<Bytes>) -> Bytes {
    let length = messages.reduce(LinkHeader.size) { $0 + $1.count }
    var header = header
    header.count = UInt16(messages.count)
    var writer = ByteWriter(capacity: length)
    header.encode(into: &writer, length: length)
    for message in messages { writer.raw(message) }
    return writer.bytes
  }

  /// A frame of so many messages that stand encoded one after the other.
  package static func join(
    _ header: LinkHeader, count: Int, _ messages: UnsafeRawBufferPointer
  ) -> Bytes {
    let length = LinkHeader.size + messages.count
    var header = header
    header.count = UInt16(count)
    var writer = ByteWriter(capacity: length)
    header.encode(into: &writer, length: length)
    writer.bytes.append(contentsOf: messages)
    return writer.bytes
  }

  package static func decode(_ bytes: Bytes) throws(WireError) -> Frame {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(WireError) in try decode(buffer) }
    }.get()
  }

  package static func decode(_ buffer: UnsafeRawBufferPointer) throws(WireError) -> Frame {
    let header = try decodeHeader(buffer)
    return Frame(header: header, messages: try decodeMessages(buffer, header))
  }

  package static func decodeHeader(_ buffer: UnsafeRawBufferPointer) throws(WireError)
    -> LinkHeader
  {
    var reader = ByteReader(buffer)
    return try LinkHeader(&reader)
  }

  /// The messages behind the frame's header.
  package static func decodeMessages(_ buffer: UnsafeRawBufferPointer, _ header: LinkHeader)
    throws(WireError) -> [Message]
  {
    var reader = ByteReader(buffer)
    _ = try reader.slice(LinkHeader.size)
    var messages: [Message] = []
    messages.reserveCapacity(min(Int(header.count), reader.remaining / MessageHeader.size))
    for _ in 0..<header.count { messages.append(try decodeMessage(&reader)) }
    guard reader.remaining == 0 else {
      throw .malformed("frame: \(reader.remaining) bytes behind the last message.")
    }
    return messages
  }

  package static func encode(_ message: Message) throws(WireError) -> Bytes {
    var writer = ByteWriter(capacity: 160)
    try encode(message, into: &writer)
    return writer.bytes
  }

  /// Appends the message; when it throws, nothing was appended.
  package static func encode(_ message: Message, into writer: inout ByteWriter) throws(WireError) {
    let start = writer.bytes.count
    do throws(WireError) {
      writer.zeros(MessageHeader.size)
      var header = try encodeBody(message, &writer)
      let size = writer.bytes.count - start
      header.bodyLength = size - MessageHeader.size
      // Alone in its frame it has to fit.
      let room = Limits.frame - LinkHeader.size
      guard size <= room else { throw .tooLarge("message", size, limit: room) }
      header.store(in: &writer.bytes, at: start)
    } catch {
      writer.bytes.removeSubrange(start...)
      throw error
    }
  }

  private static func decodeMessage(_ reader: inout ByteReader) throws(WireError) -> Message {
    let header = try MessageHeader(&reader)
    var body = ByteReader(try reader.slice(header.bodyLength))
    let path = try body.optionalPath()
    guard let message = try decodeBody(header, path, &body) else {
      throw .malformed("\(header.verb): path missing.")
    }
    guard body.remaining == 0 else {
      throw .malformed("\(header.verb): \(body.remaining) bytes behind its last field.")
    }
    return message
  }

  /// Writes path and body, returns the header without the body's length.
  private static func encodeBody(_ message: Message, _ writer: inout ByteWriter)
    throws(WireError) -> MessageHeader
  {
    switch message {
    case .hello, .welcome, .refused, .goodbye:
      try encodePeer(message, &writer)
    case .submit, .confirm, .subscribe, .unsubscribe, .request, .outcome, .state, .reply:
      try encodeClient(message, &writer)
    case .reset, .makeInitialState, .mount, .unmount, .patch, .work, .marker, .squash, .retired,
      .caughtUp, .migrateState:
      try encodeToFeature(message, &writer)
    case .initialState, .answer, .markerAnswer, .ready:
      try encodeFromFeature(message, &writer)
    case .assign, .cancelEffect, .outputAccepted, .attemptRefused, .output, .effectEnded,
      .heartbeat, .draining:
      try encodeWorker(message, &writer)
    }
  }

  /// nil when the verb needs a path and has none.
  private static func decodeBody(
    _ header: MessageHeader, _ path: Path?, _ body: inout ByteReader
  ) throws(WireError) -> Message? {
    switch header.verb {
    case .hello, .welcome, .refused, .goodbye:
      try decodePeer(header, &body)
    case .submit, .confirm, .subscribe, .unsubscribe, .request, .outcome, .state, .reply:
      try decodeClient(header, path, &body)
    case .reset, .makeInitialState, .mount, .unmount, .patch, .work, .marker, .squash, .retired,
      .caughtUp, .migrateState:
      try decodeToFeature(header, path, &body)
    case .initialState, .answer, .markerAnswer, .ready:
      try decodeFromFeature(header, &body)
    case .assign, .cancelEffect, .outputAccepted, .attemptRefused, .output, .effectEnded,
      .heartbeat, .draining:
      try decodeWorker(header, path, &body)
    }
  }

  /// The length of a message that has no path: it begins its body.
  static func noPath(_ writer: inout ByteWriter) { writer.u16(0) }
}
