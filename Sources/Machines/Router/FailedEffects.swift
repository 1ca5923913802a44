package import PenstockCore
import Wire

/// The latest effects that failed for good, with all that it takes to start them again. Part of each
/// checkpoint; what failed after it follows from the records.
package struct FailedEffects: Hashable, Sendable {
  package static let limit = 1_000
  /// Inputs and messages kept altogether; the oldest effects leave first.
  package static let byteLimit = 8 << 20

  /// In the order in which they ended.
  package private(set) var effects: [FailedEffect] = []
  private var bytes = 0

  package init() {}

  /// Takes it in, unless a checkpoint brought it along.
  package mutating func add(_ effect: FailedEffect) {
    guard effect.sequence > effects.last?.sequence ?? 0 else { return }
    effects.append(effect)
    bytes += effect.size
    while effects.count > Self.limit || (bytes > Self.byteLimit && effects.count > 1) {
      bytes -= effects.removeFirst().size
    }
  }

  package mutating func remove(_ id: EffectID) {
    guard let place = effects.firstIndex(where: { $0.id == id }) else { return }
    bytes -= effects.remove(at: place).size
  }

  package func effect(_ id: String) -> FailedEffect? {
    effects.first { $0.id.description == id }
  }
}

extension FailedEffect {
  fileprivate var size: Int {
    guard case .operation(_, let input, _, _) = start.kind else { return 0 }
    return input.count + failure.message.utf8.count
  }
}

extension RouterMachine {
  /// A committed record ended an effect as failed.
  mutating func takeFailure(_ committed: Committed) {
    if let effect = committed.failed { failed.add(effect) }
  }

  /// The answer to `failed`.
  func describeFailed() -> Bytes {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("now") { $0.integer(sequencer?.now ?? clock.wall) }
      writer.member("effects") { writer in
        writer.array { writer in
          for effect in failed.effects { writer.element { describe(effect, &$0) } }
        }
      }
    }
    return writer.bytes
  }

  private func describe(_ effect: FailedEffect, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id") { $0.string(effect.id.description) }
      writer.member("seq") { $0.integer(effect.sequence) }
      writer.member("path") { $0.string(effect.id.path.description) }
      writer.member("operation") { $0.string(effect.start.operationName) }
      writer.member("attempts") { effect.attempts == 0 ? $0.null() : $0.integer(effect.attempts) }
      writer.member("t") { $0.integer(effect.now) }
      writer.member("code") { $0.string(effect.failure.code) }
      writer.member("message") { $0.string(effect.failure.message) }
    }
  }

  /// `retry`: a record starts the effect again, as a new one. It is void if the owner's mount is
  /// another one by then; the answer comes when it is committed.
  mutating func retryRequested(_ peer: PeerID, _ request: UInt32, _ body: Bytes) {
    func refuse(_ code: ErrorCode, _ message: String) -> Message {
      Self.reply(request, Refusal(code: code, message: message))
    }
    guard isReady, let sequencer else {
      return send(peer, refuse(.unavailable, "the router has no state yet, or recovers it"))
    }
    guard let range = JSONScan.value(at: ["effect"], in: body),
      let id = try? JSONReader.decode(String.self, from: Bytes(body[range]))
    else { return send(peer, refuse(.malformed, "retry needs {\"effect\": ID}")) }
    guard let effect = failed.effect(id) else {
      return send(peer, refuse(.notFound, "\(id) is not among the effects that failed"))
    }
    guard sequencer.isMountUnchanged(since: effect.id) else {
      return send(peer, refuse(.unmounted, Self.isGone(effect.id)))
    }
    guard !sequencer.isOnTheWay(.retry(effect: effect.id)) else {
      return send(peer, refuse(.unavailable, "\(id) is being started again already"))
    }
    let payload = ReservedPayload.starting([.start(effect.start)])
    guard payload.count <= Limits.payload else {
      return send(
        peer,
        refuse(
          .tooLarge,
          "starting \(id) again takes \(payload.count) bytes, at most \(Limits.payload) are taken"))
    }
    retries[effect.id] = (peer, request)
    admitInner(.retry(effect: effect.id), effect.id.path, payload, effect.correlation)
  }

  private static func isGone(_ id: EffectID) -> String {
    "what started \(id) is not mounted at \(id.path) any more"
  }

  /// Its record is committed.
  mutating func retried(_ id: EffectID, _ committed: Committed) {
    let record = committed.record
    let asker = retries.removeValue(forKey: id)
    // A start that is void, whatever for, starts nothing: the effect is still one that failed.
    if !committed.isVoid { failed.remove(id) }
    guard let asker else { return }
    let answer: Message
    if let reason = record.mark {
      answer = Self.reply(
        asker.request,
        Refusal(code: .unavailable, message: "\(record.sequence) was set aside: \(reason.word)"))
    } else if committed.isVoid {
      answer = Self.reply(asker.request, Refusal(code: .unmounted, message: Self.isGone(id)))
    } else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("v") { $0.integer(1) }
        writer.member("seq") { $0.integer(record.sequence) }
        writer.member("effect") { $0.text(committed.started.first?.id.description) }
      }
      answer = .reply(id: asker.request, status: 0, body: writer.bytes)
    }
    send(asker.peer, answer)
  }
}

extension Sequencer {
  /// Whether a record of this origin waits for a number, or for its end.
  func isOnTheWay(_ origin: Origin) -> Bool {
    inFlight.contains { $0.record.origin == origin }
      || uncommitted.contains { $0.committed.record.origin == origin }
      || nodes.contains { $0.waiting.contains { $0.origin == origin } }
  }
}
