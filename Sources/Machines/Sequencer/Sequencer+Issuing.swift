import PenstockCore
import Wire

extension Sequencer {
  /// Gives every node what is ready for it. Called after each event.
  package mutating func pump() {
    var progressed = true
    while progressed {
      progressed = false
      validateHead()
      if retireReady() { progressed = true }
      admitWaiting()
      for index in nodes.indices where nodes[index].status == .up {
        sendMarkerIfReady(index)
        while let sequence = issuable(index) {
          issue(sequence, at: index)
          progressed = true
          sendMarkerIfReady(index)
        }
      }
    }
    commitReady()
    releaseMarkerIfReady()
    startDeadlines()
  }

  /// The next record of the node's queue, if its inputs are there and nothing holds it back.
  private func issuable(_ index: Int) -> UInt64? {
    // Nothing is copied out here: this runs several times for each record.
    let issued = nodes[index].issued
    guard issued < nodes[index].stages.count, issued < configuration.issueLimit else { return nil }
    let sequence = nodes[index].stages[issued]
    let oneByOne = nodes[index].oneByOneThrough
    if sequence <= oneByOne, sequence != retired + 1 || issued > 0 { return nil }
    if oneByOne > 0, issued > 0, nodes[index].stages[0] <= oneByOne { return nil }
    if let marker, marker < sequence, case .unsent = nodes[index].marker,
      nodes[index].delivered <= marker
    {
      return nil
    }
    let place = position(of: sequence)
    let cursor = inFlight[place].cursor
    guard cursor < inFlight[place].stages.count, inFlight[place].stages[cursor] == index
    else { return nil }
    if topology.nodes[index].hasLogic {
      for descendant in topology.nodes[index].descendants {
        if let first = nodes[descendant].stages.first, first <= sequence { return nil }
      }
    }
    if !inFlight[place].reads.isEmpty, !isReadable(place, at: index) { return nil }
    guard cursor == 0 else { return sequence }
    for scope in topology.nodes[index].written {
      let window = nodes[scope].window
      if nodes[scope].subtree.count > window, nodes[scope].subtree[window] <= sequence {
        return nil
      }
    }
    return sequence
  }

  func position(of sequence: UInt64) -> Int { Int(sequence - retired) - 1 }

  private mutating func issue(_ sequence: UInt64, at index: Int) {
    let shared = sharedValues(of: sequence, at: index)
    if let excess = excess(of: shared, at: index, sequence) {
      return refused(position(of: sequence), .tooLarge, excess)
    }
    for reading in shared { tailBytes += reading.value.count }
    deliverPending(
      index, through: configuration.faults.deliversPatchesLate ? sequence - 1 : sequence)
    let isKnown = !nodes[index].payloads.isEmpty && nodes[index].payloads.contains(sequence)
    nodes[index].issued += 1
    deliver(
      index, sequence, .work(shared), work(sequence, index, hasPayload: !isKnown, shared))
    if nodes[index].issued == 1 {
      nodes[index].deadline = monotonic + configuration.stageDeadline
    }
  }

  private func work(
    _ sequence: UInt64, _ index: Int, hasPayload: Bool, _ shared: [SharedReading]
  ) -> Message {
    let place = position(of: sequence)
    return .work(
      Work(
        sequence: sequence, epoch: epoch, path: inFlight[place].record.path,
        payload: hasPayload ? inFlight[place].record.payload : nil,
        now: inFlight[place].record.now, seed: inFlight[place].record.seed,
        wantsPatch: wantsPatch(index), isReplay: false,
        cause: inFlight[place].record.origin.cause ?? 0,
        correlation: inFlight[place].record.correlation, shared: shared))
  }

  func wantsPatch(_ index: Int) -> Bool { wantsPatches || isFollowed(index) }

  /// Whether a state is composed from the node's changes. A tap sees them too, but nothing may
  /// depend on it.
  func isFollowed(_ index: Int) -> Bool { hasReaders || topology.nodes[index].hasReader }

  /// Gives a node an item and keeps it for the node's next process.
  mutating func deliver(
    _ index: Int, _ sequence: UInt64, _ input: NodeInput, _ message: Message,
    isMirror: Bool = false
  ) {
    if let marker, marker < sequence { sendMarkerIfReady(index) }
    if let last = nodes[index].history.last, last.sequence > sequence { counts.givenLate += 1 }
    // The next process begins with the base, and that has it.
    if sequence > nodes[index].base.sequence { nodes[index].history.append((sequence, input)) }
    nodes[index].delivered = max(nodes[index].delivered, sequence)
    // A late write of an ancestor changes the state that a marker was asked for; mirrors do not.
    if let marker, sequence <= marker, !isMirror { askAgain(index) }
    switch nodes[index].status {
    case .up, .catchingUp: outputs.append(.toNode(index, message))
    case .absent, .restarting, .down: break
    }
  }

  /// Brings the node's mirrors up to (sequence, stage): each change has its own place, so that a
  /// rollback between two of them is possible.
  mutating func deliverPending(_ index: Int, through sequence: UInt64) {
    guard topology.nodes[index].hasLogic, !nodes[index].pending.isEmpty else { return }
    while !nodes[index].pending.isEmpty, nodes[index].pending[0].sequence <= sequence {
      let due = nodes[index].pending.removeFirst()
      deliver(
        index, due.sequence, .patch(due.patch),
        .patch(sequence: due.sequence, epoch: epoch, patch: due.patch), isMirror: true)
    }
    if nodes[index].pending.isEmpty { nodes[index].pendingBytes = 0 }
  }

  /// Tells nodes how far no squash can go any more; they drop what they kept for one.
  mutating func tellRetired() {
    let head = retired
    for index in nodes.indices
    where nodes[index].status == .up && head >= nodes[index].retiredTold + Self.retiredInterval
      && nodes[index].delivered > nodes[index].retiredTold
    {
      nodes[index].retiredTold = head
      if !nodes[index].payloads.isEmpty {
        nodes[index].payloads = nodes[index].payloads.filter { $0 > head }
      }
      outputs.append(.toNode(index, .retired(sequence: head)))
    }
  }

  private static var retiredInterval: UInt64 { 64 }
}
