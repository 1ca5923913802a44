import PenstockCore
import Wire

extension Sequencer {
  /// A process registered for the node: it is brought to where the node stands.
  package mutating func joined(_ index: Int, _ peer: PeerID) {
    if let old = nodes[index].peer, old != peer {
      rare.reach(.nodeReplaced)
      lost(index)
      outputs.append(.fence(old, "a newer process registered for \(topology.nodes[index].path)"))
    }
    if nodes[index].status != .absent { counts.restarts += 1 }
    nodes[index].peer = peer
    nodes[index].isHeld = isStopping
    catchUp(index)
  }

  /// Gives the node its base and its history again.
  mutating func catchUp(_ index: Int) {
    setStatus(index, .catchingUp)
    nodes[index].deadline = monotonic + configuration.catchUpDeadline
    nodes[index].payloads = []
    nodes[index].retiredTold = retired
    let base = nodes[index].base
    if !nodes[index].history.isEmpty { rare.reach(.catchUpReduces) }
    outputs.append(
      .toNode(index, .reset(sequence: base.sequence, epoch: epoch, state: base.state)))
    // Told first, so that the process keeps nothing to go back to of what has retired.
    outputs.append(.toNode(index, .retired(sequence: retired)))
    for (sequence, input) in nodes[index].history {
      switch input {
      case .state(let bytes?):
        outputs.append(
          .toNode(index, .mount(sequence: sequence, epoch: epoch, state: bytes)))
      case .state(nil):
        outputs.append(.toNode(index, .unmount(sequence: sequence, epoch: epoch)))
      case .patch(let patch):
        outputs.append(.toNode(index, .patch(sequence: sequence, epoch: epoch, patch: patch)))
      case .work(let shared):
        let record = tail[Int(sequence - tailBase)]
        outputs.append(
          .toNode(
            index,
            .work(
              Work(
                sequence: sequence, epoch: epoch, path: record.path, payload: record.payload,
                now: record.now, seed: record.seed, wantsPatch: false, isReplay: true,
                cause: record.origin.cause ?? 0, correlation: record.correlation,
                shared: shared))))
      }
    }
    outputs.append(.toNode(index, .caughtUp(sequence: nodes[index].delivered)))
  }

  package mutating func ready(_ index: Int) {
    guard nodes[index].status == .catchingUp else { return }
    nodes[index].deadline = nil
    setStatus(index, .up)
  }

  /// The node's process is gone. What it was given and did not answer is given to the next one.
  package mutating func lost(_ index: Int) {
    guard nodes[index].peer != nil else { return }
    let poison = countDeath(index)
    nodes[index].peer = nil
    setStatus(index, .restarting)
    takeBack(index)
    if let poison { void([poison], .poison) }
  }

  /// A death counts against an action only if that action was reduced alone (R5).
  /// - Returns: the record that has to be set aside.
  private mutating func countDeath(_ index: Int) -> UInt64? {
    guard nodes[index].status == .up, let sequence = nodes[index].stages.first,
      nodes[index].issued > 0
    else { return nil }
    let isAlone =
      sequence == retired + 1 && nodes[index].issued == 1 && nodes[index].delivered <= sequence
      || configuration.faults.countsSpeculativeDeaths
    nodes[index].oneByOneThrough = max(nodes[index].oneByOneThrough, nodes[index].delivered)
    rare.reach(isAlone ? .loneDeath : .speculativeDeath)
    guard isAlone else { return nil }
    let origin = inFlight[position(of: sequence)].record.origin
    loneDeaths[origin, default: 0] += 1
    let limit = isRecovering ? Self.deathsInRecovery : Self.deaths
    return loneDeaths[origin, default: 0] >= limit ? sequence : nil
  }

  private static var deaths: Int { 3 }
  /// What the journal of an earlier start holds may have been acknowledged, and a process may die three
  /// times for other reasons; but an action that kills every time must not stop the system for good.
  private static var deathsInRecovery: Int { 10 }

  /// Work without an answer counts as not given; mirrors' changes among it wait again.
  private mutating func takeBack(_ index: Int) {
    nodes[index].issued = 0
    nodes[index].deadline = nil
    nodes[index].releasedMarker = nil
    askAgain(index)
    guard let lowest = nodes[index].stages.first,
      let cut = nodes[index].history.firstIndex(where: { $0.sequence >= lowest })
    else { return }
    var returned: [(sequence: UInt64, patch: Patch)] = []
    for place in cut..<nodes[index].history.count {
      let (sequence, input) = nodes[index].history[place]
      if case .patch(let patch) = input { returned.append((sequence, patch)) }
    }
    let later = nodes[index].pending
    nodes[index].pending.removeAll()
    for change in returned { nodes[index].addPending(change.sequence, change.patch) }
    for change in later { nodes[index].addPending(change.sequence, change.patch) }
    while nodes[index].history.count > cut { nodes[index].history.removeLast() }
    nodes[index].delivered = nodes[index].history.last?.sequence ?? nodes[index].base.sequence
  }

  /// Looks at the deadlines of R2.
  package mutating func tick() {
    for index in nodes.indices {
      guard let deadline = nodes[index].deadline, deadline <= monotonic else { continue }
      switch nodes[index].status {
      case .up, .restarting, .catchingUp: goDown(index)
      case .absent, .down: nodes[index].deadline = nil
      }
    }
  }

  /// Of a process that is gone the time runs, though not during a recovery, nor while it is held: it was
  /// asked to go. Either may end with any event, so this is looked at after each.
  mutating func startDeadlines() {
    guard !isRecovering else { return }
    for index in nodes.indices
    where nodes[index].status == .restarting && nodes[index].deadline == nil
      && !nodes[index].isHeld
    {
      nodes[index].deadline = monotonic + configuration.stageDeadline
    }
  }

  /// A deadline passed: the process is fenced, and what needs the node is voided or waits.
  private mutating func goDown(_ index: Int) {
    let poison = countDeath(index)
    if let peer = nodes[index].peer {
      nodes[index].peer = nil
      outputs.append(
        .fence(peer, "\(topology.nodes[index].path) owed an answer for longer than its deadline"))
    }
    // What the journal of an earlier start holds may have been acknowledged: it waits.
    setStatus(index, isRecovering ? .restarting : .down)
    takeBack(index)
    if let poison { void([poison], .poison) }
    guard !isRecovering else {
      rare.reach(.deadlineInRecovery)
      return
    }
    rare.reach(.nodeGoesDown)
    void(Array(nodes[index].stages), .unavailable)
  }

  package var isRecovering: Bool { retired < recoveredThrough }

  private mutating func setStatus(_ index: Int, _ status: NodeStatus) {
    guard nodes[index].status != status else { return }
    nodes[index].status = status
    if status == .down { nodes[index].wasDown = true }
    if status == .up { nodes[index].wasDown = false }
    outputs.append(.nodeChanged(index, status))
  }

  package var nextDeadline: Int64? { nodes.compactMap(\.deadline).min() }
  package func status(of index: Int) -> NodeStatus { nodes[index].status }
  package func peer(of index: Int) -> PeerID? { nodes[index].peer }
  package func answers(of index: Int) -> Int { nodes[index].answers }
  /// Whether sends or outputs wait for a node.
  package var hasWaiting: Bool { nodes.contains { !$0.waiting.isEmpty } }

  /// What the node owes, and how many sends and outputs wait for it.
  package func load(of index: Int) -> (queued: Int, waiting: Int) {
    (nodes[index].stages.count, nodes[index].waiting.count)
  }
}
