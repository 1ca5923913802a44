package import PenstockCore
package import Wire

/// The frames of `Protocols/vectors`: for each verb some, and bytes that are none.
package struct Vectors {
  package struct Valid {
    package var name: String
    package var frame: Frame
  }

  package struct Malformed {
    package var name: String
    package var bytes: Bytes
    package var code: ErrorCode
  }

  package static var valid: [Valid] {
    var random = RandomMessages(seed: 2_026)
    var result: [Valid] = []
    for verb in Verb.allCases {
      for number in 1...3 {
        let header = LinkHeader(
          flags: number == 1 ? [] : [.gap], sender: random.u64() + 1, receiver: random.u64(),
          first: random.u64(), acknowledged: random.u64(), credit: random.u64())
        let frame = Frame(header: header, messages: [small(&random, verb)])
        result.append(Valid(name: "\(verb)-\(number)", frame: frame))
      }
    }
    let messages = (0..<4).map { _ in small(&random, .confirm) }
    let start = LinkHeader(flags: .start, sender: 7 << 24, receiver: 0, first: 1, credit: 64)
    result.append(Valid(name: "batch", frame: Frame(header: start, messages: messages)))
    let reading = Frame(
      header: LinkHeader(flags: [], sender: 7 << 24, receiver: 9, first: 2, credit: 64),
      messages: [.work(reader)])
    result.append(Valid(name: "work-shared", frame: reading))
    let reset = LinkHeader(flags: .reset, sender: 9, receiver: 7 << 24)
    result.append(Valid(name: "reset", frame: Frame(header: reset, messages: [])))
    let reject = LinkHeader(flags: .reject, sender: 9, receiver: 7 << 24)
    let refusal = Message.refused(Refusal(code: .malformed, message: "link: no credit."))
    result.append(Valid(name: "reject", frame: Frame(header: reject, messages: [refusal])))
    return result
  }

  /// Work of a stage that reads what two other features share.
  private static var reader: Work {
    let settings = Path.root.appending("settings")
    return Work(
      sequence: 12, epoch: Epoch(start: 1, squash: 3), path: Path.root.appending("display"),
      payload: Bytes(#""tick""#.utf8), now: 1_700_000_000_000_000, seed: 5, wantsPatch: true,
      isReplay: false, cause: 11, correlation: 7,
      shared: [
        SharedReading(
          name: SharedName(path: settings, field: "interval"), value: Bytes("2500".utf8)),
        SharedReading(
          name: SharedName(path: settings.appending("über"), field: "name"),
          value: Bytes("null".utf8)),
      ])
  }

  private static func small(_ random: inout RandomMessages, _ verb: Verb) -> Message {
    while true {
      let message = random.message(verb)
      if let bytes = try? Codec.encode(message), bytes.count < 700 { return message }
    }
  }

  package static var malformed: [Malformed] {
    var result: [Malformed] = []
    func add(_ name: String, _ bytes: Bytes, _ code: ErrorCode = .malformed) {
      result.append(Malformed(name: name, bytes: bytes, code: code))
    }
    func changed(_ bytes: Bytes, _ at: Int, _ new: UInt8...) -> Bytes {
      var bytes = bytes
      bytes.replaceSubrange(at..<at + new.count, with: new)
      return bytes
    }
    let empty = frame(verb: 4, format: 0, body: [0, 0])
    add("empty", [])
    add("magic", changed(empty, 0, 0x51))
    add("version", changed(empty, 2, 2), .unknownVersion)
    add("version-before-length", changed(empty, 2, 9) + [0], .unknownVersion)
    add("header-cut", Bytes(empty[..<40]))
    add("length-before-verb", changed(empty, 56, 200) + [0])
    add("unknown-flag", changed(empty, 3, 16))
    add("reserved", changed(empty, 50, 1))
    add("sender-0", changed(empty, 8, 0))
    add("too-many-messages", changed(empty, 48, 1, 4), .tooLarge)
    add("message-missing", changed(empty, 48, 2))
    add("bytes-behind-messages", changed(empty, 48, 0))
    add("unknown-verb", frame(verb: 200, format: 0, body: [0, 0]), .unknownVerb)
    add("wrong-format", frame(verb: 4, format: 1, body: [0, 0]))
    add("body-longer-than-frame", changed(empty, 60, 3))
    add("bytes-behind-body", frame(verb: 4, format: 0, body: [0, 0, 0]))
    add("no-path-length", frame(verb: 4, format: 0, body: []))
    for (name, path) in [
      ("relative", "a"), ("trailing-slash", "/a/"), ("empty-component", "/a//b"),
      ("bad-escape", "/%zz"), ("needless-escape", "/%41"),
    ] {
      let body = [UInt8(path.utf8.count), 0] + Bytes(path.utf8) + [1, 0, 0, 0]
      add("path-\(name)", frame(verb: 18, format: 0, body: body))
    }
    add("path-not-utf8", frame(verb: 18, format: 0, body: [2, 0, 0x2F, 0xFF, 1, 0, 0, 0]))
    add("path-missing", frame(verb: 18, format: 0, body: [0, 0, 1, 0, 0, 0]))
    let long = [1, 4, 0x2F] + Bytes(repeating: 0x61, count: 1_024)
    add("path-too-long", frame(verb: 18, format: 0, body: long + [1, 0, 0, 0]), .tooLarge)
    add("refusal-unknown-code", frame(verb: 3, format: 2, body: [0, 0, 99, 0, 0, 0]))
    add(
      "hello-unknown-role",
      frame(verb: 1, format: 2, body: [0, 0, 9] + Bytes(repeating: 0, count: 42)))
    add(
      "outcome-unknown-status",
      frame(verb: 24, format: 2, body: [0, 0] + Bytes(repeating: 0, count: 9)))
    add("state-unknown-kind", frame(verb: 25, format: 2, body: [0, 0, 1, 0, 0, 0, 7]))
    add("patch-too-deep", frame(verb: 36, format: 2, body: [0, 0, 1, 0, 0, 0, 129, 3]), .tooLarge)
    add("patch-unknown-change", frame(verb: 36, format: 2, body: [0, 0, 1, 0, 0, 0, 0, 9]))
    add("patch-count-without-bytes", frame(verb: 36, format: 2, body: [0, 0, 255, 0, 0, 0]))
    let sends: Bytes = [0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0] + [1, 4, 0, 0]
    add("too-many-sends", frame(verb: 49, format: 2, body: sends), .tooLarge)
    let mounts: Bytes = [0, 0] + [0, 0, 0, 0] + [1, 0, 0, 0] + [1, 0, 0x2F, 2, 0]
    add("flag-neither-0-nor-1", frame(verb: 49, format: 2, body: mounts))
    let timer: Bytes =
      [0, 0] + Bytes(repeating: 0, count: 12) + [1, 0, 0, 0, 1, 1, 0, 0x2F, 0, 0, 0, 0, 2]
      + Bytes(repeating: 255, count: 8) + [0, 0, 0, 0, 0]
    add("negative-interval", frame(verb: 49, format: 2, body: timer))
    add("answer-of-two-kinds", changed(frame(verb: 49, format: 2, body: [0, 0, 0, 0]), 58, 3))
    add("effect-unknown-result", frame(verb: 73, format: 2, body: [1, 0, 0x2F, 0, 0, 0, 0, 9]))
    return result
  }

  /// A frame of one message, put together without the codec.
  private static func frame(verb: UInt8, format: UInt8, body: Bytes) -> Bytes {
    var message: Bytes = [verb, format, 0, 0]
    message += little(UInt64(body.count)).prefix(4)
    message += Bytes(repeating: 0, count: 64) + body
    var frame: Bytes = [0x50, 0x53, 1, 0]
    frame += little(UInt64(56 + message.count)).prefix(4)
    frame += little(1) + Bytes(repeating: 0, count: 32) + [1, 0] + Bytes(repeating: 0, count: 6)
    return frame + message
  }

  private static func little(_ value: UInt64) -> Bytes {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
