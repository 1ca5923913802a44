import PenstockCore

/// What clients say and hear.
extension Codec {
  static func encodeClient(_ message: Message, _ writer: inout ByteWriter) throws(WireError)
    -> MessageHeader
  {
    switch message {
    case .submit(let submit):
      var header = MessageHeader(.submit)
      if let generation = submit.generation {
        header.flags = 1
        header.generationSequence = generation.sequence
        header.generationOrdinal = generation.ordinal
      }
      try writer.path(submit.path)
      writer.u64(submit.clientSequence)
      try writer.rest(submit.payload, limit: Limits.payload, "payload")
      return header
    case .subscribe(let id, let path):
      try writer.path(path)
      writer.u32(id)
      return MessageHeader(.subscribe)
    default: break
    }
    noPath(&writer)
    switch message {
    case .confirm(let upTo):
      writer.u64(upTo)
      return MessageHeader(.confirm)
    case .unsubscribe(let id):
      writer.u32(id)
      return MessageHeader(.unsubscribe)
    case .request(let id, let verb, let body):
      writer.u32(id)
      try writer.name(verb, "request")
      try writer.rest(body, limit: Limits.payload, "request")
      return MessageHeader(.request)
    case .reply(let id, let status, let body):
      writer.u32(id)
      writer.u16(status)
      try writer.rest(body, limit: Limits.state, "reply")
      return MessageHeader(.reply)
    case .state(let state):
      writer.u32(state.subscription)
      try encode(state.body, &writer)
      return MessageHeader(.state, sequence: state.asOf)
    case .outcome(let outcome): return encode(outcome, &writer)
    default: throw .malformed("Not a client's message.")
    }
  }

  static func decodeClient(_ header: MessageHeader, _ path: Path?, _ body: inout ByteReader)
    throws(WireError) -> Message?
  {
    switch header.verb {
    case .submit:
      guard let path else { return nil }
      let sequence = try body.u64()
      let generation =
        header.flags & 1 == 0
        ? nil
        : Generation(sequence: header.generationSequence, ordinal: header.generationOrdinal)
      return .submit(
        Submit(
          clientSequence: sequence, path: path,
          payload: try body.rest(limit: Limits.payload, "payload"), generation: generation))
    case .confirm: return .confirm(upTo: try body.u64())
    case .subscribe:
      guard let path else { return nil }
      return .subscribe(id: try body.u32(), path: path)
    case .unsubscribe: return .unsubscribe(id: try body.u32())
    case .request:
      let id = try body.u32()
      let verb = try body.name("request")
      return .request(id: id, verb: verb, body: try body.rest(limit: Limits.payload, "request"))
    case .reply:
      let id = try body.u32()
      let status = try body.u16()
      return .reply(id: id, status: status, body: try body.rest(limit: Limits.state, "reply"))
    case .state:
      let subscription = try body.u32()
      return .state(
        StateMessage(
          subscription: subscription, asOf: header.sequence, body: try decodeState(&body)))
    default: return .outcome(try decodeOutcome(header, &body))
    }
  }

  private static func encode(_ outcome: ClientOutcome, _ writer: inout ByteWriter)
    -> MessageHeader
  {
    var header = MessageHeader(.outcome)
    writer.u64(outcome.clientSequence)
    switch outcome.status {
    case .committed(let sequence, let isUnmounted):
      header.sequence = sequence
      header.flags = isUnmounted ? 1 : 0
      writer.u8(1)
    case .void(let sequence, let reason):
      header.sequence = sequence
      writer.u8(2)
      writer.u8(reason.rawValue)
    case .refused(let refusal):
      writer.u8(3)
      encode(refusal, &writer)
    }
    return header
  }

  private static func decodeOutcome(_ header: MessageHeader, _ body: inout ByteReader)
    throws(WireError) -> ClientOutcome
  {
    let sequence = try body.u64()
    let status: ClientOutcome.Status
    switch try body.u8() {
    case 1:
      status = .committed(sequence: header.sequence, isUnmounted: header.flags & 1 != 0)
    case 2: status = .void(sequence: header.sequence, reason: try decodeVoidReason(&body))
    case 3: status = .refused(try decodeRefusal(&body))
    case let other: throw .malformed("outcome: status \(other) is unknown.")
    }
    return ClientOutcome(clientSequence: sequence, status: status)
  }

  private static func decodeVoidReason(_ body: inout ByteReader) throws(WireError) -> VoidReason {
    let number = try body.u8()
    guard let reason = VoidReason(rawValue: number) else {
      throw .malformed("void reason \(number) is unknown.")
    }
    return reason
  }

  /// A state or its changes; the last field of its message.
  static func encode(_ body: StateMessage.Body, _ writer: inout ByteWriter) throws(WireError) {
    switch body {
    case .snapshot(nil): writer.u8(0)
    case .snapshot(let state?):
      writer.u8(1)
      try writer.rest(state, limit: Limits.state, "state")
    case .changes(let from, let patch):
      writer.u8(2)
      writer.u64(from)
      try encode(patch, &writer)
    }
  }

  static func decodeState(_ body: inout ByteReader) throws(WireError) -> StateMessage.Body {
    switch try body.u8() {
    case 0: return .snapshot(nil)
    case 1: return .snapshot(try body.rest(limit: Limits.state, "state"))
    case 2:
      let from = try body.u64()
      return .changes(from: from, try decodePatch(&body))
    case let other: throw .malformed("state: kind \(other) is unknown.")
    }
  }
}
