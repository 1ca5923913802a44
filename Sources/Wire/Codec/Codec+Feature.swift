import PenstockCore

/// What router and features say to each other.
extension Codec {
  static func encodeToFeature(_ message: Message, _ writer: inout ByteWriter) throws(WireError)
    -> MessageHeader
  {
    if case .work(let work) = message { return try encode(work, &writer) }
    noPath(&writer)
    switch message {
    case .reset(let sequence, let epoch, let state):
      var header = MessageHeader(.reset, sequence: sequence, epoch: epoch)
      header.flags = state == nil ? 0 : 1
      if let state { try writer.rest(state, limit: Limits.state, "state") }
      return header
    case .makeInitialState(let now, let seed):
      writer.i64(now)
      writer.u64(seed)
      return MessageHeader(.makeInitialState)
    case .mount(let sequence, let epoch, let state):
      try writer.rest(state, limit: Limits.state, "state")
      return MessageHeader(.mount, sequence: sequence, epoch: epoch)
    case .unmount(let sequence, let epoch):
      return MessageHeader(.unmount, sequence: sequence, epoch: epoch)
    case .patch(let sequence, let epoch, let patch):
      try encode(patch, &writer)
      return MessageHeader(.patch, sequence: sequence, epoch: epoch)
    case .marker(let marker):
      var header = MessageHeader(.marker, sequence: marker.sequence, epoch: marker.epoch)
      header.flags = marker.since == nil ? 0 : 1
      writer.u32(marker.id)
      writer.u32(marker.since ?? 0)
      return header
    case .squash(let epoch, let sequence):
      return MessageHeader(.squash, sequence: sequence, epoch: epoch)
    case .retired(let sequence): return MessageHeader(.retired, sequence: sequence)
    case .caughtUp(let sequence): return MessageHeader(.caughtUp, sequence: sequence)
    case .migrateState(let state, let description):
      try writer.block(description, limit: Limits.description, "description")
      try writer.rest(state, limit: Limits.state, "state")
      return MessageHeader(.migrateState)
    default: throw .malformed("Not a message to a feature.")
    }
  }

  private static func encode(_ work: Work, _ writer: inout ByteWriter) throws(WireError)
    -> MessageHeader
  {
    var header = MessageHeader(.work, sequence: work.sequence, epoch: work.epoch)
    header.flags =
      (work.wantsPatch ? 1 : 0) | (work.isReplay ? 2 : 0) | (work.payload == nil ? 0 : 4)
      | (work.shared.isEmpty ? 0 : 8)
    header.cause = work.cause
    header.correlation = work.correlation
    try writer.path(work.path)
    writer.i64(work.now)
    writer.u64(work.seed)
    if !work.shared.isEmpty { try encode(work.shared, &writer) }
    if let payload = work.payload { try writer.rest(payload, limit: Limits.state, "payload") }
    return header
  }

  static func decodeToFeature(_ header: MessageHeader, _ path: Path?, _ body: inout ByteReader)
    throws(WireError) -> Message?
  {
    let sequence = header.sequence
    let epoch = header.epoch
    switch header.verb {
    case .reset:
      return .reset(
        sequence: sequence, epoch: epoch,
        state: header.flags & 1 == 0 ? nil : try body.rest(limit: Limits.state, "state"))
    case .makeInitialState:
      let now = try body.i64()
      return .makeInitialState(now: now, seed: try body.u64())
    case .mount:
      return .mount(
        sequence: sequence, epoch: epoch, state: try body.rest(limit: Limits.state, "state"))
    case .unmount: return .unmount(sequence: sequence, epoch: epoch)
    case .patch:
      return .patch(sequence: sequence, epoch: epoch, patch: try decodePatch(&body))
    case .work:
      guard let path else { return nil }
      let now = try body.i64()
      let seed = try body.u64()
      let shared = header.flags & 8 == 0 ? [] : try decodeShared(&body)
      let payload =
        header.flags & 4 == 0 ? nil : try body.rest(limit: Limits.state, "payload")
      return .work(
        Work(
          sequence: sequence, epoch: epoch, path: path, payload: payload, now: now, seed: seed,
          wantsPatch: header.flags & 1 != 0, isReplay: header.flags & 2 != 0,
          cause: header.cause, correlation: header.correlation, shared: shared))
    case .marker:
      let id = try body.u32()
      let since = try body.u32()
      return .marker(
        Marker(
          id: id, sequence: sequence, epoch: epoch, since: header.flags & 1 == 0 ? nil : since))
    case .squash: return .squash(epoch: epoch, sequence: sequence)
    case .retired: return .retired(sequence: sequence)
    case .migrateState:
      let description = try body.block(limit: Limits.description, "description")
      return .migrateState(try body.rest(limit: Limits.state, "state"), from: description)
    default: return .caughtUp(sequence: sequence)
    }
  }

  static func encodeFromFeature(_ message: Message, _ writer: inout ByteWriter) throws(WireError)
    -> MessageHeader
  {
    noPath(&writer)
    switch message {
    case .initialState(let state, let mounts):
      try encode(mounts, &writer)
      try writer.rest(state, limit: Limits.state, "state")
      return MessageHeader(.initialState)
    case .answer(let answer):
      var header = MessageHeader(.answer, sequence: answer.sequence, epoch: answer.epoch)
      switch answer.result {
      case .reduced(let transition): try encode(transition, &writer)
      case .undecodable(let message):
        header.flags = 1
        writer.text(message)
      case .tooLarge(let message):
        header.flags = 2
        writer.text(message)
      }
      return header
    case .markerAnswer(let answer):
      writer.u32(answer.id)
      try encode(answer.body, &writer)
      return MessageHeader(.markerAnswer, sequence: answer.sequence, epoch: answer.epoch)
    case .ready(let sequence): return MessageHeader(.ready, sequence: sequence)
    default: throw .malformed("Not a feature's message.")
    }
  }

  static func decodeFromFeature(_ header: MessageHeader, _ body: inout ByteReader)
    throws(WireError) -> Message
  {
    switch header.verb {
    case .initialState:
      let mounts = try decodeMounts(&body)
      return .initialState(try body.rest(limit: Limits.state, "state"), mounts: mounts)
    case .answer:
      let result: Answer.Result =
        switch header.flags & 3 {
        case 0: .reduced(try decodeTransition(&body))
        case 1: .undecodable(try body.text())
        case 2: .tooLarge(try body.text())
        default: throw .malformed("answer: both undecodable and too large.")
        }
      return .answer(Answer(sequence: header.sequence, epoch: header.epoch, result: result))
    case .markerAnswer:
      let id = try body.u32()
      return .markerAnswer(
        MarkerAnswer(
          id: id, sequence: header.sequence, epoch: header.epoch, body: try decodeState(&body)))
    default: return .ready(sequence: header.sequence)
    }
  }
}
