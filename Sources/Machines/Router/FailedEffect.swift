package import PenstockCore

/// An effect that failed for good: its attempts are used up, or its error was not one to try again.
package struct FailedEffect: Hashable, Sendable {
  package var id: EffectID
  package var start: EffectStart
  /// The record that ended it.
  package var sequence: UInt64
  package var correlation: UInt64
  /// Order time of that record.
  package var now: Int64
  /// 0 when the record does not say how many there were.
  package var attempts: UInt32
  package var failure: Failure

  package init(
    id: EffectID, start: EffectStart, sequence: UInt64, correlation: UInt64, now: Int64,
    attempts: UInt32, failure: Failure
  ) {
    self.id = id
    self.start = start
    self.sequence = sequence
    self.correlation = correlation
    self.now = now
    self.attempts = attempts
    self.failure = failure
  }

  /// What a record says of its effect's failure; nil when the record ends none so.
  /// - Parameter registry: as it was before the record.
  init?(_ record: OrderRecord, _ registry: EffectRegistry) {
    let id: EffectID
    let place: [String]
    switch record.origin {
    case .output(let effect, _, isFinal: true):
      guard case .operation(_, _, let output, _)? = registry[effect]?.start.kind, output.isOutcome
      else { return nil }
      (id, place) = (effect, output.cases + ["failure"])
    case .end(let effect) where !record.payload.isEmpty: (id, place) = (effect, ["failure"])
    case .initial, .client, .send, .output, .end, .timer, .retry: return nil
    }
    guard let living = registry[id], let range = JSONScan.value(at: place, in: record.payload),
      let failure = try? JSONReader.decode(Failure.self, from: Bytes(record.payload[range]))
    else { return nil }
    let attempts = JSONScan.value(at: ["attempts"], in: record.payload, range: range)
      .flatMap { UInt32(String(decoding: record.payload[$0], as: UTF8.self)) }
    self.init(
      id: id, start: living.start, sequence: record.sequence, correlation: living.correlation,
      now: record.now, attempts: attempts ?? 0, failure: failure)
  }
}
