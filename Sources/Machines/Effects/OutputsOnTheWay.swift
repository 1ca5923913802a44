package import PenstockCore

/// What an effect or timer brought that waits or is in flight: it must not be brought a second time.
package struct OutputsOnTheWay: Hashable, Sendable {
  /// Above every output that is on its way.
  package var nextIndex: UInt32 = 0
  /// Whether the effect's end is among it.
  package var isEnding = false
  /// When a timer's tick that is on its way was due.
  package var tickDue: Int64?

  package init() {}

  package mutating func add(_ origin: Origin) {
    switch origin {
    case .output(_, let index, let isFinal):
      nextIndex = max(nextIndex, index + 1)
      if isFinal { isEnding = true }
    case .end: isEnding = true
    case .timer(_, let due): tickDue = due
    case .initial, .client, .send, .retry: break
    }
  }
}

extension Sequencer {
  /// Outputs, ends and ticks that have no number (again, after they were unavailable) or are not retired.
  func outputsOnTheWay() -> [EffectID: OutputsOnTheWay] {
    var result: [EffectID: OutputsOnTheWay] = [:]
    func add(_ origin: Origin) {
      if let id = origin.livingEffect { result[id, default: OutputsOnTheWay()].add(origin) }
    }
    for node in nodes { for item in node.waiting { add(item.origin) } }
    for item in inFlight where !item.isVoid { add(item.record.origin) }
    return result
  }
}
