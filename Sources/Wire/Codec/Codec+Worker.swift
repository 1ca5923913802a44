package import PenstockCore

/// What router and workers say to each other. The effect's path stands in the message's path.
extension Codec {
  static func encodeWorker(_ message: Message, _ writer: inout ByteWriter) throws(WireError)
    -> MessageHeader
  {
    switch message {
    case .assign(let assignment):
      try writer.path(assignment.effect.path)
      writer.u32(assignment.nextIndex)
      try writer.name(assignment.operation, "operation")
      try encode(assignment.policy, &writer)
      try writer.block(assignment.cursor, limit: Limits.cursor, "cursor")
      try writer.rest(assignment.input, limit: Limits.payload, "input")
      return MessageHeader(.assign, effect: assignment.effect, attempt: assignment.attempt)
    case .cancelEffect(let effect, let attempt):
      try writer.path(effect.path)
      return MessageHeader(.cancelEffect, effect: effect, attempt: attempt)
    case .outputAccepted(let effect, let attempt, let index):
      try writer.path(effect.path)
      writer.u32(index)
      return MessageHeader(.outputAccepted, effect: effect, attempt: attempt)
    case .attemptRefused(let effect, let attempt):
      try writer.path(effect.path)
      return MessageHeader(.attemptRefused, effect: effect, attempt: attempt)
    case .output(let output):
      var header = MessageHeader(.output, effect: output.effect, attempt: output.attempt)
      header.flags = output.isFinal ? 1 : 0
      try writer.path(output.effect.path)
      writer.u32(output.index)
      try writer.rest(output.value, limit: Limits.payload, "output")
      return header
    case .effectEnded(let effect, let attempt, let index, let result):
      var header = MessageHeader(.effectEnded, effect: effect, attempt: attempt)
      try writer.path(effect.path)
      writer.u32(index)
      header.flags = try encode(result, &writer)
      return header
    case .heartbeat(let effect, let attempt, let cursor):
      try writer.path(effect.path)
      try writer.rest(cursor, limit: Limits.cursor, "cursor")
      return MessageHeader(.heartbeat, effect: effect, attempt: attempt)
    default:
      noPath(&writer)
      return MessageHeader(.draining)
    }
  }

  static func decodeWorker(_ header: MessageHeader, _ path: Path?, _ body: inout ByteReader)
    throws(WireError) -> Message?
  {
    if header.verb == .draining { return .draining }
    guard let path else { return nil }
    let effect = EffectID(
      sequence: header.effectSequence, path: path, index: header.effectIndex)
    let attempt = header.attempt
    switch header.verb {
    case .assign:
      let next = try body.u32()
      let operation = try body.name("operation")
      let policy = try decodePolicy(&body)
      let cursor = try body.block(limit: Limits.cursor, "cursor")
      return .assign(
        Assignment(
          effect: effect, attempt: attempt, operation: operation,
          input: try body.rest(limit: Limits.payload, "input"), policy: policy, nextIndex: next,
          cursor: cursor))
    case .cancelEffect: return .cancelEffect(effect: effect, attempt: attempt)
    case .outputAccepted:
      return .outputAccepted(effect: effect, attempt: attempt, index: try body.u32())
    case .attemptRefused: return .attemptRefused(effect: effect, attempt: attempt)
    case .output:
      let index = try body.u32()
      return .output(
        WorkerOutput(
          effect: effect, attempt: attempt, index: index, isFinal: header.flags & 1 != 0,
          value: try body.rest(limit: Limits.payload, "output")))
    case .effectEnded:
      let index = try body.u32()
      return .effectEnded(
        effect: effect, attempt: attempt, index: index,
        result: try decodeResult(&body, flags: header.flags))
    default:
      return .heartbeat(
        effect: effect, attempt: attempt, cursor: try body.rest(limit: Limits.cursor, "cursor"))
    }
  }

  private static func encode(_ result: EffectResult, _ writer: inout ByteWriter)
    throws(WireError) -> UInt16
  {
    switch result {
    case .finished: writer.u8(1)
    case .failed(let code, let message, let isRetryable):
      writer.u8(2)
      try writer.name(code, "code")
      writer.text(message)
      return isRetryable ? 1 : 0
    case .cancelled: writer.u8(3)
    case .handedBack: writer.u8(4)
    }
    return 0
  }

  private static func decodeResult(_ body: inout ByteReader, flags: UInt16) throws(WireError)
    -> EffectResult
  {
    switch try body.u8() {
    case 1: return .finished
    case 2:
      let code = try body.name("code")
      return .failed(code: code, message: try body.text(), isRetryable: flags & 1 != 0)
    case 3: return .cancelled
    case 4: return .handedBack
    case let other: throw .malformed("effect-ended: result \(other) is unknown.")
    }
  }

  package static func encode(_ policy: EffectPolicy, _ writer: inout ByteWriter)
    throws(WireError)
  {
    try writer.name(policy.queue, "queue")
    writer.u32(policy.maximumAttempts)
    try writer.span(policy.initialBackoff)
    try writer.span(policy.maximumBackoff)
    try encode(policy.timeout, &writer)
    try encode(policy.heartbeatTimeout, &writer)
  }

  package static func decodePolicy(_ body: inout ByteReader) throws(WireError) -> EffectPolicy {
    var policy = EffectPolicy()
    policy.queue = try body.name("queue")
    policy.maximumAttempts = try body.u32()
    policy.initialBackoff = try body.span()
    policy.maximumBackoff = try body.span()
    policy.timeout = try decodeTime(&body)
    policy.heartbeatTimeout = try decodeTime(&body)
    return policy
  }

  private static func encode(_ time: Int64?, _ writer: inout ByteWriter) throws(WireError) {
    writer.flag(time != nil)
    if let time { try writer.span(time) }
  }

  private static func decodeTime(_ body: inout ByteReader) throws(WireError) -> Int64? {
    try body.flag("time") ? try body.span() : nil
  }
}
