package import PenstockCore

/// The effects and timers that live after the retired head: a function of the order (R3).
package struct EffectRegistry: Sendable {
  package struct Living: Hashable, Sendable {
    package var start: EffectStart
    /// Outputs in the order so far.
    package var nextIndex: UInt32 = 0
    package var correlation: UInt64
    /// Order time of the start; a timer's first due time follows from it.
    package var startedAt: Int64
    /// When a timer's last tick was due.
    package var lastDue: Int64?

    package init(
      start: EffectStart, nextIndex: UInt32 = 0, correlation: UInt64, startedAt: Int64,
      lastDue: Int64? = nil
    ) {
      self.start = start
      self.nextIndex = nextIndex
      self.correlation = correlation
      self.startedAt = startedAt
      self.lastDue = lastDue
    }
  }

  package private(set) var living: [EffectID: Living] = [:]
  private var byCancelID: [CancelID: Set<EffectID>] = [:]
  private var byPath: [Path: Set<EffectID>] = [:]

  package init() {}

  package subscript(id: EffectID) -> Living? { living[id] }

  package mutating func add(_ id: EffectID, _ effect: Living) {
    living[id] = effect
    for cancelID in effect.start.cancelIDs { byCancelID[cancelID, default: []].insert(id) }
    byPath[id.path, default: []].insert(id)
  }

  mutating func countOutput(_ id: EffectID) { living[id]?.nextIndex += 1 }
  mutating func ticked(_ id: EffectID, due: Int64) { living[id]?.lastDue = due }

  /// - Returns: whether the effect was alive.
  @discardableResult
  package mutating func remove(_ id: EffectID) -> Bool {
    guard let effect = living.removeValue(forKey: id) else { return false }
    for cancelID in effect.start.cancelIDs {
      byCancelID[cancelID]?.remove(id)
      if byCancelID[cancelID]?.isEmpty ?? false { byCancelID[cancelID] = nil }
    }
    byPath[id.path]?.remove(id)
    if byPath[id.path]?.isEmpty ?? false { byPath[id.path] = nil }
    return true
  }

  /// Ends what lives at or below the path under the id.
  package mutating func cancel(_ path: Path, _ cancelID: CancelID) -> [EffectID] {
    let hit = (byCancelID[cancelID] ?? []).filter { path.contains($0.path) }.sorted()
    for id in hit { remove(id) }
    return hit
  }

  /// Ends what lives at or below a path whose mount ended.
  package mutating func unmount(_ path: Path) -> [EffectID] {
    let hit = byPath.keys.filter { path.contains($0) }.flatMap { byPath[$0] ?? [] }.sorted()
    for id in hit { remove(id) }
    return hit
  }
}
