import PenstockCore
import Wire

/// One record between its number and its retirement.
struct InFlight: Sendable {
  var record: OrderRecord
  /// The nodes, lowest first; the route's own list.
  var stages: [Int] = []
  /// The next stage that has to answer; `stages.count` when all have.
  var cursor = 0
  /// What the first stage did, when it has answered.
  var first: Transition?
  /// What later stages did, with their places in `stages`; nothing for those that did nothing.
  var later: [(stage: Int, transition: Transition)] = []
  /// What its stages read of other processes' features.
  var reads: [Topology.Reads] = []
  /// The route does not depend on what is mounted.
  var hasFixedRoute = false
  var isUnmounted = false
  /// Void for a reason that replay derives too (R3), or by a mark.
  var isVoid = false
  /// A stage said why the record can't be; it counts when all before the record is retired, because
  /// running ahead may hit a state that never existed (R5).
  var refusal: (reason: VoidReason, text: String)?
  /// Answers stamped with an older epoch are stale (R4).
  var minimumEpoch: Epoch
  var ticket: UInt64
  var numberedAt: Int64

  var isAnswered: Bool { cursor == stages.count }

  mutating func answer(_ transition: Transition) {
    if cursor == 0 {
      first = transition
    } else if !transition.hasOnlyPatch || !transition.patch.isEmpty {
      later.append((cursor, transition))
    }
    cursor += 1
  }

  /// No stage did more than change the state.
  var hasOnlyPatches: Bool {
    (first?.hasOnlyPatch ?? true) && later.allSatisfy(\.transition.hasOnlyPatch)
  }

  /// Stages without an entry did nothing.
  var transitions: [(stage: Int, transition: Transition)] {
    (first.map { [(0, $0)] } ?? []) + later
  }
}
