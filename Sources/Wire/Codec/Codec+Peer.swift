package import PenstockCore

/// Hello, welcome, refused, goodbye.
extension Codec {
  static func encodePeer(_ message: Message, _ writer: inout ByteWriter) throws(WireError)
    -> MessageHeader
  {
    noPath(&writer)
    switch message {
    case .hello(let hello):
      try encode(hello, &writer)
      return MessageHeader(.hello)
    case .welcome(let welcome):
      var header = MessageHeader(.welcome)
      header.epoch.start = welcome.start
      header.flags = welcome.isDurable ? 1 : 0
      writer.u64(welcome.nextClientSequence)
      try writer.name(welcome.application, "application")
      return header
    case .refused(let refusal):
      encode(refusal, &writer)
      return MessageHeader(.refused)
    default:
      return MessageHeader(.goodbye)
    }
  }

  static func decodePeer(_ header: MessageHeader, _ body: inout ByteReader) throws(WireError)
    -> Message
  {
    switch header.verb {
    case .hello: return .hello(try decodeHello(&body))
    case .welcome:
      let next = try body.u64()
      return .welcome(
        Welcome(
          application: try body.name("application"), start: header.epoch.start,
          nextClientSequence: next, isDurable: header.flags & 1 != 0))
    case .refused: return .refused(try decodeRefusal(&body))
    default: return .goodbye
    }
  }

  private static func encode(_ hello: Hello, _ writer: inout ByteWriter) throws(WireError) {
    writer.u8(hello.role.rawValue)
    writer.u64(hello.session)
    writer.u32(hello.processID)
    writer.u64(hello.schemaHash)
    writer.u32(hello.slots)
    try writer.name(hello.name, "name")
    try writer.name(hello.application, "application")
    try writer.name(hello.build, "build")
    try writer.block(hello.description, limit: Limits.description, "description")
    try writer.count(hello.queues.count, limit: Limits.queues, "queues")
    for queue in hello.queues { try writer.name(queue, "queue") }
    try writer.count(hello.running.count, limit: Limits.runningEffects, "running effects")
    for running in hello.running {
      try encode(running.effect, &writer)
      writer.u32(running.attempt.start)
      writer.u32(running.attempt.number)
    }
  }

  private static func decodeHello(_ body: inout ByteReader) throws(WireError) -> Hello {
    let code = try body.u8()
    guard let role = Role(rawValue: code) else {
      throw .malformed("hello: role \(code) is unknown.")
    }
    var hello = Hello(role: role, name: "", session: try body.u64())
    hello.processID = try body.u32()
    hello.schemaHash = try body.u64()
    hello.slots = try body.u32()
    hello.name = try body.name("name")
    hello.application = try body.name("application")
    hello.build = try body.name("build")
    hello.description = try body.block(limit: Limits.description, "description")
    for _ in 0..<(try body.count(limit: Limits.queues, size: 2, "queues")) {
      hello.queues.append(try body.name("queue"))
    }
    let running = try body.count(limit: Limits.runningEffects, size: 22, "running effects")
    for _ in 0..<running {
      let effect = try decodeEffectID(&body)
      let attempt = Attempt(start: try body.u32(), number: try body.u32())
      hello.running.append(RunningEffect(effect: effect, attempt: attempt))
    }
    return hello
  }

  static func encode(_ refusal: Refusal, _ writer: inout ByteWriter) {
    writer.u16(refusal.code.rawValue)
    writer.text(refusal.message)
  }

  static func decodeRefusal(_ body: inout ByteReader) throws(WireError) -> Refusal {
    let number = try body.u16()
    guard let code = ErrorCode(rawValue: number) else {
      throw .malformed("refusal: error code \(number) is unknown.")
    }
    return Refusal(code: code, message: try body.text())
  }

  /// An effect id inside a body, where it carries its own path.
  package static func encode(_ effect: EffectID, _ writer: inout ByteWriter) throws(WireError) {
    writer.u64(effect.sequence)
    writer.u32(effect.index)
    try writer.path(effect.path)
  }

  package static func decodeEffectID(_ body: inout ByteReader) throws(WireError) -> EffectID {
    let sequence = try body.u64()
    let index = try body.u32()
    return EffectID(sequence: sequence, path: try body.path(), index: index)
  }
}
