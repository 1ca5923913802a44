package import PenstockCore
import Wire

// The one place where a tap record becomes JSON; `Protocols/9-CONTROL.md` lists the members.
extension TapRecord {
  /// The kind's letter and the path, cut to what a subscription can name.
  package var topic: Bytes {
    let path: Path =
      switch self {
      case .action(let action): action.record.path
      case .effect(let effect): effect.effect.path
      case .process: .root
      }
    return Bytes(([kind.letter] + path.description.utf8).prefix(TapPublisher.maximumTopic))
  }

  /// One line, without the line break.
  package func json(counter: UInt64) -> Bytes {
    var object = JSONMembers()
    object.integer("v", 1)
    object.text("k", kind.rawValue)
    object.integer("n", counter)
    switch self {
    case .action(let action): action.write(to: &object)
    case .effect(let effect): effect.write(to: &object)
    case .process(let name, let role, let processID, let state, let now):
      object.text("t", Timestamp(microseconds: now).rfc3339)
      object.text("name", name)
      object.text("role", "\(role)")
      if processID == 0 { object.null("pid") } else { object.integer("pid", processID) }
      object.text("state", state)
    }
    return object.finished()
  }
}

extension TapRecord.ActionTap {
  fileprivate func write(to object: inout JSONMembers) {
    object.text("t", Timestamp(microseconds: record.now).rfc3339)
    object.integer("seq", record.sequence)
    object.raw("epoch", Bytes("[\(epoch.start),\(epoch.squash)]".utf8))
    object.text("path", record.path.description)
    object.text("type", type)
    object.text("source", source)
    object.text("origin", record.origin.word)
    object.optional("cause", cause)
    object.optional("effect", record.origin.effect?.description)
    object.integer("corr", record.correlation)
    object.text("from", record.origin.text)
    object.integer("seed", record.seed)
    object.integer("lat", latency)
    object.optional("flag", flag)
    object.integer("bytes", record.payload.count)
    writePayload(to: &object)
    if let patch { object.raw("patch", patch.json) }
    if !diagnostics.isEmpty {
      var list = JSONWriter()
      list.byte(UInt8(ascii: "["))
      for (index, sentence) in diagnostics.enumerated() {
        if index > 0 { list.byte(UInt8(ascii: ",")) }
        list.string(sentence)
      }
      list.byte(UInt8(ascii: "]"))
      object.raw("notes", list.bytes)
    }
  }

  /// Why the record did less than others: `unmounted`, `stale`, or the reason of its void.
  private var flag: String? {
    if let mark = record.mark { return mark.word }
    if isVoid { return "stale" }
    return isUnmounted ? "unmounted" : nil
  }

  private func writePayload(to object: inout JSONMembers) {
    guard !record.payload.isEmpty else { return }
    guard record.payload.count <= TapPublisher.maximumPayload else {
      object.raw("trunc", Bytes("true".utf8))
      return
    }
    var reader = JSONReader(record.payload)
    if (try? reader.skipValue()) != nil, (try? reader.finish()) != nil {
      // Line breaks can only be white space between tokens; as such a space does as well.
      object.raw("payload", record.payload.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
    } else {
      object.text("raw", String(decoding: record.payload, as: UTF8.self))
    }
  }
}

extension TapRecord.EffectTap {
  fileprivate func write(to object: inout JSONMembers) {
    object.text("t", Timestamp(microseconds: now).rfc3339)
    object.text("id", effect.description)
    object.integer("seq", effect.sequence)
    object.text("path", effect.path.description)
    object.text("operation", operation)
    object.text("state", state.rawValue)
    object.optional("worker", worker.isEmpty ? nil : worker)
    object.integer("attempt", attempt.number)
    object.optional("message", message.isEmpty ? nil : message)
  }
}

extension Origin {
  /// The origin's kind as one word.
  package var word: String {
    switch self {
    case .initial: "initial"
    case .client: "client"
    case .send: "send"
    case .output: "output"
    case .end: "end"
    case .timer: "timer"
    case .retry: "retry"
    }
  }

  /// The effect that the record came from.
  package var effect: EffectID? {
    switch self {
    case .output(let effect, _, _), .end(let effect), .timer(let effect, _): effect
    case .retry(let effect): effect
    case .initial, .client, .send: nil
    }
  }
}

extension Patch {
  /// `[{"op":"set","path":["count"],"value":2}]`
  package var json: Bytes {
    var writer = JSONWriter()
    writer.byte(UInt8(ascii: "["))
    for (index, operation) in operations.enumerated() {
      if index > 0 { writer.byte(UInt8(ascii: ",")) }
      writer.raw(operation.json)
    }
    writer.byte(UInt8(ascii: "]"))
    return writer.bytes
  }
}

extension PatchOperation {
  fileprivate var json: Bytes {
    var names = JSONWriter()
    names.byte(UInt8(ascii: "["))
    for (index, name) in path.enumerated() {
      if index > 0 { names.byte(UInt8(ascii: ",")) }
      names.string(name)
    }
    names.byte(UInt8(ascii: "]"))
    var object = JSONMembers()
    switch change {
    case .set: object.text("op", "set")
    case .insert: object.text("op", "insert")
    case .remove: object.text("op", "remove")
    case .move: object.text("op", "move")
    }
    object.raw("path", names.bytes)
    switch change {
    case .set(let value): object.raw("value", value)
    case .insert(let value, let index):
      object.raw("value", value)
      object.integer("at", index)
    case .move(let index): object.integer("at", index)
    case .remove: break
    }
    return object.finished()
  }
}
