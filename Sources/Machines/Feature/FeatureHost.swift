package import PenstockCore
package import Wire

/// Runs one node: reduces the items that the router sends, in order, and can go back.
///
/// The host keeps a log of the items since a base, and snapshots of the state at some places of the
/// log (R10: a snapshot is a copy, so not one per item). A squash drops the items above its sequence,
/// takes the newest snapshot at or before it and reduces the rest of the log again, quietly. Nothing
/// below `retired` can be squashed: the base follows it, and with an empty log what has retired
/// already (most of a catch-up) is reduced without a trace.
package struct FeatureHost: FeatureMachine {
  /// Items between two snapshots.
  static var snapshotInterval: Int { 16 }

  private enum Item {
    case state(UInt64, (any MountedNode)?)
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
    var node: (any MountedNode)?
  }

  private let program: any NodeProgram
  /// nil while nothing is mounted.
  private var node: (any MountedNode)?
  private var log = Deque<Item>()
  /// The first one is the base; without a log there are none.
  private var snapshots: [Snapshot] = []
  private var retired: UInt64 = 0
  /// Payloads of records above the retired head that were rolled back: they are not sent twice (R4).
  private var payloads: [UInt64: Bytes] = [:]
  /// States as of the markers that a later one may name as its `since`.
  private var markerStates: [UInt32: (any MountedNode)?] = [:]
  package private(set) var position: UInt64 = 0
  /// An item that does not fit the state. Running ahead may do that: this node's own write, whose
  /// answer is on its way, took away what a child changed. The squash that follows clears it; until
  /// then items are only kept.
  private var misfit: UInt64?
  private var growth = StateGrowth()
  private let depth: StateDepth?
  package private(set) var rare = RarePaths()

  package init(program: any NodeProgram) {
    self.program = program
    depth = StateDepth(of: program)
  }

  package mutating func handle(_ message: Message, into outputs: inout [FeatureOutput]) {
    do {
      try apply(message, &outputs)
    } catch {
      outputs.append(.stop("\(program.path): \(error.description)"))
    }
  }

  private mutating func apply(
    _ message: Message, _ outputs: inout [FeatureOutput]
  ) throws(UndecodableError) {
    switch message {
    case .makeInitialState(let now, let seed):
      let initial = try program.initial(now: now, seed: seed)
      outputs.append(.send(.initialState(initial.state, mounts: initial.mounts)))
    case .migrateState(let state, let description):
      do {
        let migrated = try program.migrated(state, from: description)
        outputs.append(.send(.initialState(migrated.state, mounts: migrated.mounts)))
      } catch {
        outputs.append(.mismatch(error.description))
      }
    case .reset(let sequence, _, let bytes):
      try reset(to: sequence, bytes)
    case .mount(let sequence, _, let bytes):
      let mounted = try program.mounted(bytes)
      try append(.state(sequence, mounted), &outputs)
    case .unmount(let sequence, _):
      try append(.state(sequence, nil), &outputs)
    case .patch(let sequence, _, let patch):
      try append(.patch(sequence, patch), &outputs)
    case .work(var work):
      if work.payload == nil {
        guard let payload = payloads[work.sequence] else {
          throw UndecodableError("the payload of \(work.sequence) was never sent")
        }
        work.payload = payload
      }
      try append(.work(work), &outputs)
    case .marker(let marker):
      try append(.marker(marker), &outputs)
    case .squash(_, let sequence):
      rollBack(to: sequence)
    case .retired(let sequence):
      retire(through: sequence)
    case .caughtUp(let sequence):
      outputs.append(.send(.ready(sequence: sequence)))
    default:
      throw UndecodableError("a feature gets no such message: \(message)")
    }
  }

  private mutating func reset(to sequence: UInt64, _ bytes: Bytes?) throws(UndecodableError) {
    node = nil
    if let bytes { node = try program.mounted(bytes) }
    log.removeAll()
    payloads = [:]
    markerStates = [:]
    snapshots = []
    position = sequence
    retired = sequence
    misfit = nil
    growth = StateGrowth()
  }

  private mutating func append(
    _ item: Item, _ outputs: inout [FeatureOutput]
  ) throws(UndecodableError) {
    position = item.sequence
    if log.isEmpty, item.sequence <= retired {
      run(item, isRerun: false, &outputs)
      guard misfit == nil else {
        throw UndecodableError("the change of \(item.sequence) has retired and does not fit")
      }
      return
    }
    if misfit == nil { takeSnapshotIfDue() }
    log.append(item)
    if misfit == nil { run(item, isRerun: false, &outputs) }
  }

  /// Snapshots lie the farther apart the older they are, so there are few, however long the log is,
  /// and going back far costs at most about twice what was reduced since.
  private mutating func takeSnapshotIfDue() {
    let end = log.count
    if let last = snapshots.last, end - last.position < Self.snapshotInterval { return }
    snapshots.append(Snapshot(position: end, node: node))
    for index in stride(from: snapshots.count - 2, to: 0, by: -1) {
      let next = snapshots[index + 1].position
      if next - snapshots[index - 1].position <= end - next { snapshots.remove(at: index) }
    }
  }

  private mutating func run(_ item: Item, isRerun: Bool, _ outputs: inout [FeatureOutput]) {
    switch item {
    case .state(_, let new):
      node = new
    case .patch(let sequence, let patch):
      guard node != nil else { return }
      do {
        try node!.apply(patch)
      } catch {
        misfit = sequence
        rare.reach(.misfit)
      }
    case .work(let work):
      let result = reduce(work, isQuiet: isRerun || work.isReplay)
      if isRerun || work.isReplay { return }
      outputs.append(
        .send(.answer(Answer(sequence: work.sequence, epoch: work.epoch, result: result))))
    case .marker(let marker):
      if !isRerun { outputs.append(.send(.markerAnswer(answer(to: marker)))) }
    }
  }

  private mutating func reduce(_ work: Work, isQuiet: Bool) -> Answer.Result {
    guard node != nil else {
      var transition = Transition()
      transition.diagnostics = ["\(program.path) is not mounted at \(work.sequence)"]
      return .reduced(transition)
    }
    let input = StageInput(
      sequence: work.sequence, path: work.path, payload: work.payload ?? [], now: work.now,
      seed: work.seed, isQuiet: isQuiet, wantsPatch: work.wantsPatch, shared: work.shared)
    do {
      let before = depth == nil || work.isReplay ? nil : node
      let transition = try node!.reduce(input)
      if let depth, let before,
        let excess = depth.excess(of: program.path, node!.difference(from: before))
      {
        return .tooLarge(excess)
      }
      growth.add(input.payload.count)
      if growth.isDue, !work.isReplay,
        let excess = growth.excess(of: program.path, node!.encodeOwn().count)
      {
        return .tooLarge(excess)
      }
      return .reduced(transition)
    } catch {
      return .undecodable(error.description)
    }
  }

  private mutating func answer(to marker: Marker) -> MarkerAnswer {
    let body: StateMessage.Body
    if let since = marker.since, let old = markerStates[since], let old, let node {
      body = .changes(from: 0, node.ownDifference(from: old))
    } else {
      body = .snapshot(node?.encodeOwn())
    }
    // Only the marker named now and this one can be named by a later one.
    if let since = marker.since {
      markerStates = markerStates.filter { $0.key >= since }
    }
    markerStates[marker.id] = .some(node)
    return MarkerAnswer(
      id: marker.id, sequence: marker.sequence, epoch: marker.epoch, body: body)
  }

  private mutating func rollBack(to sequence: UInt64) {
    guard let last = log.last, last.sequence > sequence else { return }
    while let last = log.last, last.sequence > sequence {
      if case .work(let work) = last { payloads[work.sequence] = work.payload }
      log.removeLast()
    }
    while snapshots.count > 1, snapshots[snapshots.count - 1].position > log.count {
      rare.reach(.rollBackToSnapshot)
      snapshots.removeLast()
    }
    let snapshot = snapshots[snapshots.count - 1]
    precondition(snapshot.position <= log.count, "the base never passes the retired head")
    node = snapshot.node
    misfit = nil
    if snapshot.position < log.count { rare.reach(.rollBackReduces) }
    var nothing: [FeatureOutput] = []
    for place in snapshot.position..<log.count where misfit == nil {
      run(log[place], isRerun: true, &nothing)
    }
    if log.isEmpty { snapshots = [] }
    position = log.last?.sequence ?? sequence
  }

  private mutating func retire(through sequence: UInt64) {
    retired = max(retired, sequence)
    if !payloads.isEmpty { payloads = payloads.filter { $0.key > sequence } }
    if misfit == nil, let last = log.last, last.sequence <= sequence {
      log.removeAll()
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
