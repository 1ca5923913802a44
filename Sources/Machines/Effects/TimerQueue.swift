package import PenstockCore

/// The timers that live, in order time. Each has at most one tick that is not retired; ticks that
/// were missed meanwhile become one, and the phase is kept (R14).
package struct TimerQueue: Sendable {
  private struct Timer: Sendable {
    var due: Int64
    var interval: Int64
    var isRepeating: Bool
    /// A tick is on its way through the order.
    var isOut = false
  }

  private var timers: [EffectID: Timer] = [:]
  private var heap = DeadlineHeap()
  private(set) var rare = RarePaths()

  package init() {}

  package var count: Int { timers.count }

  /// - Parameter isOut: whether the tick that is due then is on its way already.
  package mutating func add(
    _ id: EffectID, due: Int64, interval: Int64, isRepeating: Bool, isOut: Bool = false
  ) {
    timers[id] = Timer(
      due: due, interval: max(1, interval), isRepeating: isRepeating, isOut: isOut)
    if isOut { rare.reach(.tickOnTheWay) }
    if !isOut { heap.add(id, due: due) }
  }

  package mutating func cancel(_ id: EffectID) { timers[id] = nil }

  /// When the next tick is due; at the latest, as a cancelled timer may still stand there.
  package var nextDue: Int64? { heap.nextDue }

  /// The timers that are due, each with the time at which its latest tick was.
  package mutating func due(_ now: Int64) -> [(EffectID, Int64)] {
    var result: [(EffectID, Int64)] = []
    while let id = heap.take(now: now) {
      guard var timer = timers[id], !timer.isOut else { continue }
      guard timer.due <= now else {
        heap.add(id, due: timer.due)
        continue
      }
      if timer.isRepeating {
        if now - timer.due >= timer.interval { rare.reach(.ticksCollapse) }
        timer.due += (now - timer.due) / timer.interval * timer.interval
      }
      timer.isOut = true
      timers[id] = timer
      result.append((id, timer.due))
    }
    return result
  }

  /// The tick that was out is retired: a repeating timer goes on, another one is over.
  package mutating func tickRetired(_ id: EffectID, now: Int64) {
    guard var timer = timers[id], timer.isOut else { return }
    guard timer.isRepeating else {
      timers[id] = nil
      return
    }
    timer.isOut = false
    timer.due += timer.interval
    timers[id] = timer
    heap.add(id, due: timer.due)
  }
}
