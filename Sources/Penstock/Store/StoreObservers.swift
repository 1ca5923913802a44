/// Who is told of states, and what they have not been told yet: one after the other, in order.
///
/// It is kept under the lock of an engine; whoever gets something from `next` calls the bodies outside
/// of the lock, then `told`.
package struct StoreObservers<State: Sendable>: Sendable {
  package typealias Event = Result<State, StoreError>
  package typealias Body = @Sendable (Event) -> Void

  private var bodies: [(id: UInt64, body: Body)] = []
  private var waiting: [(event: Event, observer: UInt64?)] = []
  private var isTelling = false
  private var lastID: UInt64 = 0

  package init() {}

  /// - Parameter current: what the new observer is told first.
  package mutating func add(_ body: @escaping Body, current: Event) -> UInt64 {
    lastID += 1
    bodies.append((lastID, body))
    waiting.append((current, lastID))
    return lastID
  }

  package mutating func remove(_ id: UInt64) { bodies.removeAll { $0.id == id } }

  /// Something that everybody is to be told.
  package mutating func append(_ event: Event) { waiting.append((event, nil)) }

  /// The next event and who is to be told; nil when there is none or somebody is telling already.
  package mutating func next() -> (Event, [Body])? {
    guard !isTelling, !waiting.isEmpty else { return nil }
    isTelling = true
    let (event, observer) = waiting.removeFirst()
    return (event, bodies.filter { observer == nil || $0.id == observer }.map(\.body))
  }

  package mutating func told() { isTelling = false }
}
