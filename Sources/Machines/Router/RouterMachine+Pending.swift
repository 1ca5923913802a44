import PenstockCore
import Wire

/// What is still to come of an action, and how its effects are ended.
extension RouterMachine {
  func describePending(_ body: Bytes) -> Result<Bytes, Refusal> {
    guard isReady, let sequencer else { return .failure(notReady) }
    let correlation: UInt64?
    switch number("corr", in: body) {
    case .success(let number): correlation = number
    case .failure(let refusal): return .failure(refusal)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("effects") { $0.integer(sequencer.livingEffects(of: correlation)) }
      writer.member("records") { $0.integer(sequencer.uncommittedRecords(of: correlation)) }
      writer.member("sequence") { $0.integer(sequencer.committedThrough) }
    }
    return .success(writer.bytes)
  }

  /// Ends what lives of the effects that one record started, or that followed from a client's action;
  /// an end is a record like others.
  mutating func cancelEffects(_ body: Bytes) -> Result<Bytes, Refusal> {
    guard isReady, let sequencer else { return .failure(notReady) }
    let living: [EffectID: EffectRegistry.Living]
    switch (number("seq", in: body), number("corr", in: body)) {
    case (.success(let sequence?), .success(nil)):
      living = sequencer.effects.living.filter { $0.key.sequence == sequence }
    case (.success(nil), .success(let correlation?)):
      living = sequencer.effects.living.filter { $0.value.correlation == correlation }
    case (.success, .success):
      return .failure(
        Refusal(code: .malformed, message: "cancel needs {\"seq\": N} or {\"corr\": N}"))
    case (.failure(let refusal), _), (_, .failure(let refusal)): return .failure(refusal)
    }
    if !living.isEmpty { rare.reach(.cancelledByHand) }
    for (id, effect) in living.sorted(by: { $0.key < $1.key }) {
      admitInner(.end(effect: id), id.path, [], effect.correlation)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("ended") { $0.integer(living.count) }
    }
    return .success(writer.bytes)
  }

  private var notReady: Refusal {
    Refusal(code: .unavailable, message: "the router has no state yet, or recovers it")
  }

  /// A number among the members of a request; nil when it is not there.
  private func number(_ name: String, in body: Bytes) -> Result<UInt64?, Refusal> {
    guard let range = JSONScan.value(at: [name], in: body) else { return .success(nil) }
    let text = String(decoding: body[range], as: UTF8.self)
    guard let number = UInt64(text) else {
      return .failure(Refusal(code: .malformed, message: "\(name) \(text) is no number"))
    }
    return .success(number)
  }
}

extension Sequencer {
  /// Effects and timers that live, of one client's action or of all.
  func livingEffects(of correlation: UInt64?) -> Int {
    guard let correlation else { return effects.living.count }
    return effects.living.values.count { $0.correlation == correlation }
  }

  /// Records that wait for a number, for being retired and durable, or for the router to take in that
  /// they are.
  func uncommittedRecords(of correlation: UInt64?) -> Int {
    func isMeant(_ other: UInt64) -> Bool { correlation == nil || correlation == other }
    return inFlight.count { isMeant($0.record.correlation) }
      + uncommitted.count { isMeant($0.committed.record.correlation) }
      + nodes.reduce(0) { $0 + $1.waiting.count { isMeant($0.correlation) } }
      + outputs.count {
        guard case .committed(let committed) = $0 else { return false }
        return isMeant(committed.record.correlation)
      }
  }
}
