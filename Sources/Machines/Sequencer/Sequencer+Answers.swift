import PenstockCore
package import Wire

extension Sequencer {
  /// A node answered one stage.
  package mutating func answered(_ index: Int, _ answer: Answer) {
    guard answer.sequence > retired, answer.sequence < next else {
      counts.staleAnswers += 1
      return
    }
    let position = position(of: answer.sequence)
    let isStale = answer.epoch < inFlight[position].minimumEpoch
    guard !isStale || configuration.faults.acceptsStaleAnswers,
      nodes[index].issued > 0, nodes[index].stages.first == answer.sequence,
      inFlight[position].cursor < inFlight[position].stages.count,
      inFlight[position].stages[inFlight[position].cursor] == index
    else {
      counts.staleAnswers += 1
      rare.reach(.staleAnswer)
      return
    }
    _ = nodes[index].stages.removeFirst()
    nodes[index].issued -= 1
    nodes[index].answers += 1
    nodes[index].deadline =
      nodes[index].issued > 0 ? monotonic + configuration.stageDeadline : nil
    switch answer.result {
    case .undecodable(let text): refused(position, .undecodable, text)
    case .tooLarge(let text): refused(position, .tooLarge, text)
    case .reduced(let transition):
      guard transition.sends.count <= configuration.sendsPerTransition else {
        refused(position, .tooLarge, "a transition with \(transition.sends.count) sends")
        return
      }
      inFlight[position].answer(transition)
      if !transition.mounts.isEmpty { mounts.answered(answer.sequence, transition.mounts) }
      if !isFollowed(index) {
        nodes[index].unknownThrough = answer.sequence
      } else if !transition.patch.isEmpty {
        nodes[index].ownChanges.append((answer.sequence, transition.patch))
      }
      spread(transition.patch, from: index, at: answer.sequence)
    }
  }

  mutating func refused(_ position: Int, _ reason: VoidReason, _ text: String) {
    inFlight[position].refusal = (reason, text)
    voidHeadIfRefused()
  }

  /// A stage's changes go to the mirrors above, and what they write below to its owners.
  private mutating func spread(_ patch: Patch, from index: Int, at sequence: UInt64) {
    guard !patch.isEmpty else { return }
    keepShared(patch, of: index, at: sequence)
    for (offset, ancestor) in topology.nodes[index].ancestors.enumerated()
    where topology.nodes[ancestor].hasLogic {
      nodes[ancestor].addPending(
        sequence, patch.lifted(by: topology.nodes[index].relativePaths[offset]))
    }
    var writes: [(node: Int, inputs: [NodeInput])] = []
    for descendant in topology.nodes[index].descendants {
      let path = Array(
        topology.nodes[descendant].statePath.dropFirst(topology.nodes[index].statePath.count))
      let inputs = patch.writes(below: path)
      if !inputs.isEmpty { writes.append((descendant, inputs)) }
    }
    guard !writes.isEmpty else { return }
    // Whether or not somebody is ahead of it: a parent that writes each time keeps the window at 1.
    for write in writes { nodes[write.node].cleanRetirements = 0 }
    if writes.contains(where: { nodes[$0.node].delivered > sequence }) {
      let isUnmount = writes.contains { write in
        nodes[write.node].delivered > sequence
          && write.inputs.contains { if case .state(nil) = $0 { true } else { false } }
      }
      if isUnmount { counts.unmounts += 1 }
      for write in writes { narrowWindow(write.node) }
      if !configuration.faults.skipsSquashOnWrite {
        rare.reach(.writeSquashes)
        squash(to: configuration.faults.rollsBackOneShort ? sequence + 1 : sequence)
      }
    }
    for write in writes {
      deliverPending(write.node, through: sequence)
      for input in write.inputs { deliver(write.node, sequence, input, message(sequence, input)) }
    }
  }

  private func message(_ sequence: UInt64, _ input: NodeInput) -> Message {
    switch input {
    case .state(let bytes?): .mount(sequence: sequence, epoch: epoch, state: bytes)
    case .state(nil): .unmount(sequence: sequence, epoch: epoch)
    case .patch(let patch): .patch(sequence: sequence, epoch: epoch, patch: patch)
    case .work: preconditionFailure("work is not written by an ancestor")
    }
  }

  private mutating func narrowWindow(_ index: Int) {
    guard case .adaptive = configuration.window else { return }
    nodes[index].window = max(1, nodes[index].window / 2)
  }

  mutating func widenWindow(_ index: Int) {
    guard case .adaptive(let bound) = configuration.window else { return }
    nodes[index].cleanRetirements += 1
    if nodes[index].cleanRetirements >= Self.cleanForOneMore, nodes[index].window < bound {
      nodes[index].cleanRetirements = 0
      nodes[index].window += 1
    }
  }

  /// Retirements without a write that widen a window by one. A parent that writes in one of a hundred
  /// records leaves a window of 50 to 100: less than one record in two is reduced again.
  private static var cleanForOneMore: Int { 2 }

  /// Rolls everything above the sequence back and queues it again under a new epoch.
  mutating func squash(to sequence: UInt64) {
    if nodes.contains(where: { $0.delivered > sequence }) {
      counts.squashes += 1
      if isRecovering { rare.reach(.squashInRecovery) }
      if nodes.contains(where: { $0.delivered > sequence && $0.status == .catchingUp }) {
        rare.reach(.squashWhileCatchingUp)
      }
    }
    epoch.squash += 1
    mounts.rolledBack(to: sequence)
    for index in nodes.indices {
      if nodes[index].delivered > sequence {
        nodes[index].delivered = sequence
        switch nodes[index].status {
        case .up, .catchingUp:
          outputs.append(.toNode(index, .squash(epoch: epoch, sequence: sequence)))
        case .absent, .restarting, .down: break
        }
      }
      while let last = nodes[index].history.last, last.sequence > sequence {
        // Its payload is not sent twice (R4).
        if case .work = last.input { nodes[index].payloads.insert(last.sequence) }
        nodes[index].history.removeLast()
      }
      nodes[index].pending.removeAll { $0.sequence > sequence }
      nodes[index].ownChanges.truncate { $0.sequence <= sequence }
      nodes[index].stages.truncate { $0 <= sequence }
      nodes[index].issued = min(nodes[index].issued, nodes[index].stages.count)
      // That of a process that is to come, or catches up, runs on.
      if nodes[index].issued == 0, nodes[index].status == .up { nodes[index].deadline = nil }
      nodes[index].subtree.truncate { $0 <= sequence }
      if let marker, marker > sequence { askAgain(index) }
    }
    for place in shared.indices { shared[place].rollBack(to: sequence) }
    validated = min(validated, sequence)
    guard sequence + 1 < next else { return }
    for position in max(0, position(of: sequence + 1))..<inFlight.count {
      inFlight[position].minimumEpoch = epoch
      assignStages(at: position)
    }
  }

  /// Voids numbered, unretired records for a reason that replay cannot derive (R6).
  mutating func void(_ sequences: [UInt64], _ reason: VoidReason) {
    guard let lowest = sequences.min() else { return }
    switch reason {
    case .undecodable: rare.reach(.undecodable)
    case .tooLarge: rare.reach(.tooLarge)
    case .poison: rare.reach(.poison)
    case .unavailable, .runaway, .skipped: break
    }
    if nodes.contains(where: { $0.delivered > lowest }) { rare.reach(.voidWhileAhead) }
    for sequence in sequences {
      let position = position(of: sequence)
      append(.mark(sequence: sequence, reason: reason))
      inFlight[position].record.mark = reason
      inFlight[position].isVoid = true
      inFlight[position].ticket = lastTicket + 1
      tail[Int(sequence - tailBase)].mark = reason
      if reason == .unavailable { waitAgain(inFlight[position].record) }
    }
    squash(to: lowest - 1)
  }
}

extension Patch {
  /// What the patch does to the state at `path`: whole states, or changes inside it.
  func writes(below path: [String]) -> [NodeInput] {
    var inputs: [NodeInput] = []
    var inner: [PatchOperation] = []
    func flush() {
      if !inner.isEmpty { inputs.append(.patch(Patch(inner))) }
      inner = []
    }
    for operation in operations {
      if operation.path.count > path.count {
        if operation.path.starts(with: path) {
          inner.append(
            PatchOperation(
              path: Array(operation.path.dropFirst(path.count)), change: operation.change))
        }
      } else if path.starts(with: operation.path), case .set(let bytes) = operation.change {
        flush()
        let rest = Array(path.dropFirst(operation.path.count))
        inputs.append(.state(JSONScan.state(at: rest, in: bytes)))
      }
    }
    flush()
    return inputs
  }
}
