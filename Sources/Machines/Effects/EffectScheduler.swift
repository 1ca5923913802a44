import PenstockCore
package import Wire

/// Hands the operations of living effects to workers, until each brought its end into the order.
///
/// An effect waits in its queue, is assigned to the least loaded worker that serves its queue and
/// operation and has a free slot, and is assigned again, as the next attempt, when that attempt fails
/// and may be retried, exceeds a time-out, is handed back, or loses its worker. Outputs are numbered
/// per effect across attempts; each goes into the order once. A superseded attempt is refused.
///
/// After a restart of the router, nothing is started for a while, in which workers say what they
/// still run; that is adopted (R6). Times are those of the monotonic clock.
package struct EffectScheduler: Sendable {
  package enum Output: Hashable, Sendable {
    case send(PeerID, Message)
    case produced(EffectProduct)
    case tap(TapRecord.EffectTap)
  }

  struct Effect: Sendable {
    enum State: Hashable, Sendable {
      case queued
      case running(PeerID)
      /// Waits before its next attempt.
      case backingOff(until: Int64)
      /// Its end is on its way through the order. The worker that has it, to be told.
      case over(PeerID?)
    }

    let number: UInt64
    let name: String
    let input: Bytes
    let policy: EffectPolicy
    var state = State.queued
    /// The last attempt that was started; nil when this start of the router knows of none.
    var attempt: Attempt?
    /// Attempts that count against the policy.
    var tries: UInt32 = 0
    var losses = 0
    /// Its last attempt's worker was lost, and may come back with it.
    var isLost = false
    var nextIndex: UInt32
    /// The index of the record that ends it, once that is on its way; `max` for an end.
    var endIndex: UInt32?
    /// Outputs below this are durable.
    var durableIndex: UInt32
    var cursor: Bytes
    /// Wall clock, for people.
    var since: Int64
    var assignedAt: Int64 = 0
    var heardAt: Int64 = 0
    /// The earliest time at which the heap has this effect.
    var heapDue = Int64.max

    var kind: OperationQueue.Kind { .init(queue: policy.queue, operation: name) }

    /// When it needs a look, if nothing happens before.
    var due: Int64? {
      switch state {
      case .queued, .over: return nil
      case .backingOff(let until): return until
      case .running:
        let end = policy.timeout.map { assignedAt.adding($0) }
        let beat = policy.heartbeatTimeout.map { heardAt.adding($0) }
        return end.map { min($0, beat ?? $0) } ?? beat
      }
    }
  }

  struct Worker: Sendable {
    let name: String
    let queues: Set<String>
    /// nil when it did not say: all.
    let operations: Set<String>?
    let slots: UInt32
    var running: Set<EffectID> = []
    var isDraining = false
    var outputs = 0
    var since: Int64
    /// Ties go to the worker that waited longest for work.
    var lastAssigned: UInt64 = 0

    func serves(_ kind: OperationQueue.Kind) -> Bool {
      queues.contains(kind.queue) && operations?.contains(kind.operation) ?? true
    }
  }

  /// Effects that may wait; beyond it they fail with `queue-full`.
  package static let waitingLimit = 200_000
  /// An effect that lost this many workers fails: it may be what kills them.
  package static let lossLimit = 10

  package let startNumber: UInt32
  let recoveryPeriod: Int64
  let faults: PlantedFaults
  /// Whether notes for the tap are made.
  package var isTapped = false

  var outputs: [Output] = []
  var rare = RarePaths()
  var effects: [EffectID: Effect] = [:]
  var workers: [PeerID: Worker] = [:]
  var queue = OperationQueue()
  var waiting = 0
  var heap = DeadlineHeap()
  var count: UInt64 = 0
  var clock = ClockReading(monotonic: 0, wall: 0)

  // Recovery
  var firstClock: Int64?
  var isRecovered = false
  var isHolding = true
  /// What workers say they run, of effects that are not known yet.
  var claims: [EffectID: (peer: PeerID, attempt: Attempt)] = [:]

  /// - Parameter recoveryPeriod: How long a router that is not the first waits for workers.
  package init(
    start: UInt32, recoveryPeriod: Int64 = 1_000_000, faults: PlantedFaults = PlantedFaults()
  ) {
    startNumber = start
    self.faults = faults
    self.recoveryPeriod = recoveryPeriod
  }

  /// All effects that lived when the last router stopped were started with `start`. If there are none
  /// nothing can run anywhere, and nothing waits for workers to say so.
  package mutating func recovered(at clock: ClockReading) {
    advance(clock)
    isRecovered = true
    endHoldingIfDue()
    dispatch()
  }

  package mutating func drainOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  /// When `tick` has something to do, on the monotonic clock.
  package var nextDeadline: Int64? {
    guard isHolding, isRecovered, let firstClock else { return heap.nextDue }
    return min(firstClock.adding(recoveryPeriod), heap.nextDue ?? .max)
  }

  mutating func advance(_ clock: ClockReading) {
    self.clock = clock
    if firstClock == nil { firstClock = clock.monotonic }
  }

  mutating func endHoldingIfDue() {
    guard isHolding, isRecovered, let firstClock else { return }
    let isOver = clock.monotonic >= firstClock.adding(recoveryPeriod)
    guard startNumber <= 1 || isOver || effects.isEmpty else { return }
    isHolding = false
    for (id, claim) in claims.sorted(by: { $0.key < $1.key }) {
      outputs.append(.send(claim.peer, .attemptRefused(effect: id, attempt: claim.attempt)))
    }
    claims = [:]
  }
}

extension Int64 {
  /// A sum that stays at the greatest number.
  func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
