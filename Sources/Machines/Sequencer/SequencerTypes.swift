package import PenstockCore
package import Wire

/// How far nodes run ahead of an ancestor that may write to them (R4).
package enum WindowPolicy: Hashable, Sendable {
  case fixed(Int)
  /// Starts at the bound, halves at each squash, grows by one at every fourth clean retirement.
  case adaptive(bound: Int)

  var bound: Int {
    switch self {
    case .fixed(let size): size
    case .adaptive(let bound): bound
    }
  }
}

package struct SequencerConfiguration: Sendable {
  package var window: WindowPolicy = .adaptive(bound: 1_024)
  /// How long a node may owe an answer whose inputs are there (R2), in microseconds.
  package var stageDeadline: Int64 = 2_000_000
  /// How long catching up may go on before the process is given up.
  package var catchUpDeadline: Int64 = 60_000_000
  /// Items that a node has and has not answered, at the most.
  package var issueLimit = 1_024
  /// Sends that may wait without a number for one node, at the most.
  package var waitingLimit = 100_000
  package var sendsPerTransition = 1_024
  /// Mixed into each record's seed.
  package var seed: UInt64 = 0
  package var faults = PlantedFaults()

  package init() {}
}

/// Bugs that the simulator plants one at a time to show that it would find them. Never set elsewhere.
package struct PlantedFaults: Hashable, Sendable {
  package var acknowledgesBeforeDurable = false
  package var startsEffectsBeforeDurable = false
  package var acceptsStaleAnswers = false
  package var appliesOutputsOfDeadEffects = false
  package var skipsSquashOnWrite = false
  package var rollsBackOneShort = false
  package var keepsCheckpointedChanges = false
  package var ignoresCancels = false
  package var forgetsClientDeduplication = false
  package var keepsEffectsOfUnmounted = false
  package var losesSendsOnRecovery = false
  package var deliversPatchesLate = false
  package var countsSpeculativeDeaths = false
  package var entersOutputsTwice = false
  package var acceptsSupersededAttempts = false
  package var appliesLateResultsToSuccessors = false
  package var acceptsOutputsBeforeDurable = false
  package var leaksWorkerSlots = false
  package var losesCursors = false
  package var retriesForever = false
  package var losesTimersOnRecovery = false
  package var goesOnWhenFenced = false
  package var forgetsWaitingInCheckpoints = false
  package var ignoresGaps = false
  package var readsAheadOfOwners = false
  package var readsRetiredValues = false

  package init() {}
}

/// What the sequencer wants done or known, in order.
package enum SequencerOutput: Sendable {
  case toNode(Int, Message)
  case append([JournalEntry], ticket: UInt64)
  case committed(Committed)
  case nodeChanged(Int, NodeStatus)
  /// The node's process is given up: end its link.
  case fence(PeerID, String)
  /// Effects that live no longer, known at retirement; what was not started need not be.
  case effectsEnded([EffectID])
  indirect case markerReleased(ReleasedMarker)
  case markerDropped
  /// Only under a planted fault: an effect begins before its action is durable.
  case startedEarly(EffectID)
}

/// A record that is retired and durable.
package struct Committed: Sendable {
  package var record: OrderRecord
  package var isVoid: Bool
  package var isUnmounted: Bool
  package var started: [(id: EffectID, start: EffectStart)]
  package var cancelled: [EffectID]
  /// Changes from the root's state, where the answers held them.
  package var patch: Patch
  package var diagnostics: [String]
  package var numberedAt: Int64
  /// The effect that the record ended, if that failed for good.
  package var failed: FailedEffect?
}

package enum NodeStatus: String, Hashable, Sendable {
  /// Never registered since this router's start.
  case absent
  case restarting
  case catchingUp = "catching-up"
  case up
  case down
}

/// Figures of one run, for `ps`, the simulator and `compare`.
package struct SequencerCounts: Hashable, Sendable {
  package var records = 0
  package var squashes = 0
  /// Squashes because a mount went away under younger work.
  package var unmounts = 0
  package var voids = 0
  package var restarts = 0
  package var staleAnswers = 0
  /// What a node was given though it had something younger; without a squash that is never right.
  package var givenLate = 0

  package init() {}
}

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

/// What a node was given, kept since its base so that a restarted process can be given it again.
enum NodeInput: Sendable {
  case state(Bytes?)
  case patch(Patch)
  /// With what the stage read.
  case work([SharedReading])
}

/// A send, output, tick or end without a number: it needs a node that is not up.
package struct Waiting: Hashable, Sendable {
  package var origin: Origin
  package var path: Path
  package var payload: Bytes
  package var correlation: UInt64
  /// The next number when it began to wait, or the number under which it was voided.
  package var since: UInt64

  package init(
    origin: Origin, path: Path, payload: Bytes, correlation: UInt64, since: UInt64 = 0
  ) {
    self.since = since
    self.origin = origin
    self.path = path
    self.payload = payload
    self.correlation = correlation
  }
}

/// The router's side of one placed scope.
struct NodeState: Sendable {
  var peer: PeerID?
  var status = NodeStatus.absent
  /// Its process is going to be stopped: nothing that needs it gets a number.
  var isHeld = false
  /// Down, or catching up after it: clients' actions are refused, not held (R2).
  var wasDown = false
  /// Records with an unanswered stage here; the first `issued` of them were sent.
  var stages = Deque<UInt64>()
  var issued = 0
  /// Changes of this node's mirrors that it was not given yet, in order of sequence.
  var pending = Deque<(sequence: UInt64, patch: Patch)>()
  /// About how much memory they take, at most.
  var pendingBytes = 0
  var history = Deque<(sequence: UInt64, input: NodeInput)>()
  /// The state from which the history goes on.
  var base: (sequence: UInt64, state: Bytes?) = (0, nil)
  /// Records whose payload the present process has though a squash took them back.
  var payloads: Set<UInt64> = []
  /// The highest sequence of anything given to the present process.
  var delivered: UInt64 = 0
  var retiredTold: UInt64 = 0
  /// Unretired records whose owner is this node or below it, lowest first.
  var subtree = Deque<UInt64>()
  var window: Int
  var cleanRetirements = 0
  /// After a death the node gets one item at a time up to here (R5).
  var oneByOneThrough: UInt64 = 0
  var answers = 0
  var deadline: Int64?
  /// Sends and outputs for this owner that have no number yet.
  var waiting = Deque<Waiting>()
  /// What the node's answers since its base changed, where somebody wanted to know.
  var ownChanges = Deque<(sequence: UInt64, patch: Patch)>()
  /// The highest answer whose changes are not known.
  var unknownThrough: UInt64 = 0
  var marker = MarkerState.none
  /// The last released marker of the present process, which the next one names as its `since`.
  var releasedMarker: UInt32?

  /// Keeps the changes in order of sequence, those of one sequence in order of arrival.
  mutating func addPending(_ sequence: UInt64, _ patch: Patch) {
    for operation in patch.operations { pendingBytes += operation.size }
    var place = pending.count
    while place > 0, pending[place - 1].sequence > sequence { place -= 1 }
    if place == pending.count {
      pending.append((sequence, patch))
    } else {
      pending.insert((sequence, patch), at: place)
    }
  }

  /// Changes up to the retired head can't be rolled back one by one: they become one, in which the last
  /// writer of a place wins (R9).
  /// - Parameter cuts: those that may become the node's base; what lies before and after one stays
  ///   apart.
  mutating func mergePending(through retired: UInt64, cuts: [UInt64]) {
    while pending.count > 1, pending[1].sequence <= retired {
      let (first, second) = (pending[0].sequence, pending[1].sequence)
      if cuts.contains(where: { first <= $0 && $0 < second }) { return }
      let count = pending[0].patch.operations.count + pending[1].patch.operations.count
      guard count <= Self.mergeLimit else { return }
      var merged = pending.removeFirst().patch
      merged.merge(pending[0].patch)
      pending[0].patch = merged
    }
  }

  /// Operations of one merged change; far below what a message may have.
  private static var mergeLimit: Int { 16_384 }
  /// More is given to the node though it has no work: a message has to hold it.
  static var pendingLimit: Int { 1 << 20 }

  /// How far the present marker is at this node.
  enum MarkerState: Sendable {
    case none, unsent
    case sent(id: UInt32)
    case answered(id: UInt32, StateMessage.Body)

    /// - Returns: whether it has to be asked for again.
    mutating func invalidate() -> Bool {
      switch self {
      case .sent, .answered:
        self = .unsent
        return true
      case .none, .unsent: return false
      }
    }
  }
}

extension PatchOperation {
  /// About how many bytes it takes.
  fileprivate var size: Int {
    switch change {
    case .set(let bytes), .insert(let bytes, _): 64 + bytes.count
    case .remove, .move: 64
    }
  }
}
