import PenstockCore
import Wire

/// What a node was given, kept since its base so that a restarted process can be given it again.
enum NodeInput: Sendable {
  case state(Bytes?)
  case patch(Patch)
  /// With what the stage read.
  case work([SharedReading])
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
