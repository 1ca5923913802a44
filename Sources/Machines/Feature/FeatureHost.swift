package import PenstockCore
package import Wire

/// Runs one node: reduces the items that the router sends, in order, and can go back.
///
/// The host keeps a log of the items since a base, and snapshots of the state at some places of the
/// log (R10: a snapshot is a copy, so not one per item). A squash drops the items above its sequence,
/// takes the newest snapshot at or before it and reduces the rest of the log again, quietly. Nothing
/// below `retired` can be squashed: the base follows it, and with an empty log what has retired
/// already (most of a catch-up) is reduced without a trace.
package struct FeatureHost<Program: NodeProgram>: FeatureMachine {
  /// Items between two snapshots.
  static var snapshotInterval: Int { 16 }

  private enum Item {
    case state(UInt64, Program.State?)
    case patch(UInt64, Patch)
    case work(Work)
    case marker(Marker)

    var sequence: UInt64 {
      switch self {
      case .state(let sequence, _), .patch(let sequence, _): sequence
      case .work(let work): work.sequence
      case .marker(let marker): marker.sequence
      }
    }
  }

  private struct Snapshot {
    /// The number of log items that the state includes.
    var position: Int
    var state: Program.State?
  }

  private let program: Program
  private var state: Program.State?
  private var log: [Item] = []
  /// The first one is the base; without a log there are none.
  private var snapshots: [Snapshot] = []
  private var retired: UInt64 = 0
  /// Payloads above the retired head: a squash does not send them twice (R4).
  private var payloads: [UInt64: Bytes] = [:]
  /// States as of the markers that a later one may name as its `since`.
  private var markerStates: [UInt32: Program.State?] = [:]
  package private(set) var position: UInt64 = 0
  /// An item that does not fit the state. Running ahead may do that: this node's own write, whose
  /// answer is on its way, took away what a child changed. The squash that follows clears it; until
  /// then items are only kept.
  private var misfit: UInt64?
  private var growth = StateGrowth()
  package private(set) var rare = RarePaths()

  package init(program: Program) {
    self.program = program
  }

  package mutating func handle(_ message: Message) -> [FeatureOutput] {
    do {
      return try apply(message)
    } catch {
      return [.stop("\(program.path): \(error.description)")]
    }
  }

  private mutating func apply(_ message: Message) throws(UndecodableError) -> [FeatureOutput] {
    switch message {
    case .makeInitialState(let now, let seed):
      let initial = try program.makeInitialState(now: now, seed: seed)
      return [.send(.initialState(program.encode(initial), mounts: program.mounts(in: initial)))]
    case .reset(let sequence, _, let bytes):
      try reset(to: sequence, bytes)
    case .mount(let sequence, _, let bytes):
      let mounted = try program.decode(bytes)
      return try append(.state(sequence, mounted))
    case .unmount(let sequence, _):
      return try append(.state(sequence, nil))
    case .patch(let sequence, _, let patch):
      return try append(.patch(sequence, patch))
    case .work(var work):
      guard let payload = work.payload ?? payloads[work.sequence] else {
        throw UndecodableError("the payload of \(work.sequence) was never sent")
      }
      work.payload = payload
      if work.sequence > retired { payloads[work.sequence] = payload }
      return try append(.work(work))
    case .marker(let marker):
      return try append(.marker(marker))
    case .squash(_, let sequence):
      try rollBack(to: sequence)
    case .retired(let sequence):
      retire(through: sequence)
    case .caughtUp(let sequence):
      return [.send(.ready(sequence: sequence))]
    default:
      throw UndecodableError("a feature gets no such message: \(message)")
    }
    return []
  }

  private mutating func reset(to sequence: UInt64, _ bytes: Bytes?) throws(UndecodableError) {
    if let bytes { state = try program.decode(bytes) } else { state = nil }
    log = []
    payloads = [:]
    markerStates = [:]
    snapshots = []
    position = sequence
    retired = sequence
    misfit = nil
    growth = StateGrowth()
  }

  private mutating func append(_ item: Item) throws(UndecodableError) -> [FeatureOutput] {
    position = item.sequence
    if log.isEmpty, item.sequence <= retired {
      let outputs = try run(item, isRerun: false)
      guard misfit == nil else {
        throw UndecodableError("the change of \(item.sequence) has retired and does not fit")
      }
      return outputs
    }
    if misfit == nil { takeSnapshotIfDue() }
    log.append(item)
    return misfit == nil ? try run(item, isRerun: false) : []
  }

  /// Snapshots lie the farther apart the older they are, so there are few, however long the log is,
  /// and going back far costs at most about twice what was reduced since.
  private mutating func takeSnapshotIfDue() {
    let end = log.count
    if let last = snapshots.last, end - last.position < Self.snapshotInterval { return }
    snapshots.append(Snapshot(position: end, state: state))
    for index in stride(from: snapshots.count - 2, to: 0, by: -1) {
      let next = snapshots[index + 1].position
      if next - snapshots[index - 1].position <= end - next { snapshots.remove(at: index) }
    }
  }

  private mutating func run(
    _ item: Item, isRerun: Bool
  ) throws(UndecodableError) -> [FeatureOutput] {
    switch item {
    case .state(_, let new):
      state = new
    case .patch(let sequence, let patch):
      guard state != nil else { return [] }
      do {
        try program.apply(patch, to: &state!)
      } catch {
        misfit = sequence
        rare.reach(.misfit)
      }
    case .work(let work):
      let result = reduce(work, isQuiet: isRerun || work.isReplay)
      if isRerun || work.isReplay { return [] }
      return [
        .send(.answer(Answer(sequence: work.sequence, epoch: work.epoch, result: result)))
      ]
    case .marker(let marker):
      if isRerun { return [] }
      return [.send(.markerAnswer(answer(to: marker)))]
    }
    return []
  }

  private mutating func reduce(_ work: Work, isQuiet: Bool) -> Answer.Result {
    guard state != nil else {
      var transition = Transition()
      transition.diagnostics = ["\(program.path) is not mounted at \(work.sequence)"]
      return .reduced(transition)
    }
    let input = StageInput(
      sequence: work.sequence, path: work.path, payload: work.payload ?? [], now: work.now,
      seed: work.seed, isQuiet: isQuiet, wantsPatch: work.wantsPatch)
    do {
      let transition = try program.reduce(&state!, input)
      growth.add(input.payload.count)
      if !work.isReplay, let excess = growth.excess(of: program, state!) {
        return .tooLarge(excess)
      }
      return .reduced(transition)
    } catch {
      return .undecodable(error.description)
    }
  }

  private mutating func answer(to marker: Marker) -> MarkerAnswer {
    let body: StateMessage.Body
    if let since = marker.since, let old = markerStates[since], let old, let state {
      body = .changes(from: 0, program.ownDifference(from: old, to: state))
    } else {
      body = .snapshot(state.map(program.encodeOwn))
    }
    // Only the marker named now and this one can be named by a later one.
    if let since = marker.since {
      markerStates = markerStates.filter { $0.key >= since }
    }
    markerStates[marker.id] = .some(state)
    return MarkerAnswer(
      id: marker.id, sequence: marker.sequence, epoch: marker.epoch, body: body)
  }

  private mutating func rollBack(to sequence: UInt64) throws(UndecodableError) {
    guard let last = log.last, last.sequence > sequence else { return }
    while let last = log.last, last.sequence > sequence { log.removeLast() }
    while snapshots.count > 1, snapshots[snapshots.count - 1].position > log.count {
      rare.reach(.rollBackToSnapshot)
      snapshots.removeLast()
    }
    let snapshot = snapshots[snapshots.count - 1]
    precondition(snapshot.position <= log.count, "the base never passes the retired head")
    state = snapshot.state
    misfit = nil
    if snapshot.position < log.count { rare.reach(.rollBackReduces) }
    for item in log[snapshot.position...] where misfit == nil {
      _ = try run(item, isRerun: true)
    }
    if log.isEmpty { snapshots = [] }
    position = log.last?.sequence ?? sequence
  }

  private mutating func retire(through sequence: UInt64) {
    retired = max(retired, sequence)
    if payloads.contains(where: { $0.key <= sequence }) {
      payloads = payloads.filter { $0.key > sequence }
    }
    if misfit == nil, let last = log.last, last.sequence <= sequence {
      log = []
      snapshots = []
      return
    }
    var base = 0
    for (index, snapshot) in snapshots.enumerated() where snapshot.position > 0 {
      if log[snapshot.position - 1].sequence <= sequence { base = index }
    }
    guard base > 0 else { return }
    let dropped = snapshots[base].position
    snapshots.removeFirst(base)
    log.removeFirst(dropped)
    for index in snapshots.indices { snapshots[index].position -= dropped }
  }
}
