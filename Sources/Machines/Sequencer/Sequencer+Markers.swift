package import PenstockCore
package import Wire

/// A consistent cut: what each node's own state was as of one sequence (R7).
package struct ReleasedMarker: Sendable {
  package var sequence: UInt64
  /// By node. For one without a process the router answers itself.
  package var bodies: [StateMessage.Body]
  /// The router's part as of the same sequence.
  package var part: RouterPart
}

extension Sequencer {
  package var hasMarker: Bool { marker != nil }
  package var isEveryNodeUp: Bool { nodes.allSatisfy { $0.status == .up } }

  /// Queues a marker behind everything that has a number.
  package mutating func startMarker() {
    precondition(marker == nil, "one marker is on its way at a time")
    marker = next - 1
    cuts.append(next - 1)
    capture = inFlight.isEmpty ? part() : nil
    for index in nodes.indices { nodes[index].marker = .unsent }
  }

  mutating func sendMarkerIfReady(_ index: Int) {
    guard let marker, case .unsent = nodes[index].marker else { return }
    guard nodes[index].status == .up || nodes[index].status == .catchingUp,
      nodes[index].delivered <= marker
    else { return }
    if nodes[index].issued < nodes[index].stages.count,
      nodes[index].stages[nodes[index].issued] <= marker
    {
      return
    }
    lastMarkerID += 1
    nodes[index].marker = .sent(id: lastMarkerID)
    outputs.append(
      .toNode(
        index,
        .marker(
          Marker(
            id: lastMarkerID, sequence: marker, epoch: epoch,
            since: nodes[index].releasedMarker))))
  }

  mutating func askAgain(_ index: Int) {
    if nodes[index].marker.invalidate() { rare.reach(.markerAskedAgain) }
  }

  /// Only the answer to the marker that was sent last counts.
  package mutating func markerAnswered(_ index: Int, _ answer: MarkerAnswer) {
    guard case .sent(answer.id) = nodes[index].marker else { return }
    nodes[index].marker = .answered(id: answer.id, answer.body)
    releaseMarkerIfReady()
  }

  /// Released when its sequence is committed and every node that is up has answered.
  mutating func releaseMarkerIfReady() {
    guard let marker, committedThrough >= marker, let capture
    else { return }
    var bodies: [StateMessage.Body] = []
    for (index, node) in nodes.enumerated() {
      switch (node.marker, node.status) {
      case (.answered(_, let body), _): bodies.append(body)
      case (_, .up) where node.delivered <= marker, (.sent, .up): return
      case (_, .catchingUp) where node.delivered <= marker, (.sent, .catchingUp): return
      case (_, .up), (_, .catchingUp):
        // Its process came when the node was beyond the marker already.
        guard let body = compose(index, asOf: marker) else { return dropMarker() }
        rare.reach(.markerComposed)
        bodies.append(body)
      case (_, .absent), (_, .restarting), (_, .down):
        guard let body = compose(index, asOf: marker) else { return }
        rare.reach(.markerComposed)
        bodies.append(body)
      }
    }
    outputs.append(
      .markerReleased(
        ReleasedMarker(sequence: marker, bodies: bodies, part: capture)))
    endMarker(isReleased: true)
  }

  /// It can't be answered; the next one can.
  private mutating func dropMarker() {
    rare.reach(.markerDropped)
    outputs.append(.markerDropped)
    endMarker(isReleased: false)
  }

  /// What was answered to a marker that was dropped came nowhere: no later one may name it.
  private mutating func endMarker(isReleased: Bool) {
    if let marker, !isReleased { forgetCut(marker) }
    marker = nil
    capture = nil
    for index in nodes.indices {
      if isReleased, case .answered(let id, _) = nodes[index].marker {
        nodes[index].releasedMarker = id
      }
      nodes[index].marker = .none
    }
  }

  /// What was released is not built on any more: the next answers are whole states. A marker that is
  /// on its way may have named it already, so it is asked again.
  package mutating func forgetMarkers() {
    for index in nodes.indices {
      nodes[index].releasedMarker = nil
      askAgain(index)
    }
  }

  /// The state of a node without a process, from its base and all that changed since; nil when some
  /// answers since then came without changes, because nobody read them.
  private func compose(_ index: Int, asOf sequence: UInt64) -> StateMessage.Body? {
    let node = nodes[index]
    guard node.unknownThrough <= node.base.sequence else { return nil }
    let placed = topology.nodes[index].descendants.map {
      Array(topology.nodes[$0].statePath.dropFirst(topology.nodes[index].statePath.count))
    }
    // Whether a placed child is there belongs to this node; what is inside it does not.
    func own(_ patch: Patch) -> NodeInput {
      .patch(
        Patch(
          patch.operations.filter { operation in
            !placed.contains {
              operation.path.count > $0.count && operation.path.starts(with: $0)
            }
          }))
    }
    var changes: [(sequence: UInt64, order: Int, input: NodeInput)] = []
    for (offset, change) in node.ownChanges.enumerated() where change.sequence <= sequence {
      changes.append((change.sequence, offset, own(change.patch)))
    }
    // What an ancestor wrote at the same sequence came after the node's own stage.
    for (offset, given) in node.history.enumerated() where given.sequence <= sequence {
      switch given.input {
      case .state: changes.append((given.sequence, Int.max / 2 + offset, given.input))
      case .patch(let patch):
        changes.append((given.sequence, Int.max / 2 + offset, own(patch)))
      case .work: continue
      }
    }
    changes.sort { ($0.sequence, $0.order) < ($1.sequence, $1.order) }
    do throws(JSONError) {
      var document: JSONDocument?
      if let state = node.base.state { document = try JSONDocument(state) }
      for change in changes {
        switch change.input {
        case .state(let bytes?): document = try JSONDocument(bytes)
        case .state(nil): document = nil
        case .patch(let patch): try document?.apply(patch)
        case .work: continue
        }
      }
      return .snapshot(document?.encode())
    } catch {
      return nil
    }
  }

  /// The released cut is not going to be a checkpoint.
  package mutating func forgetCut(_ sequence: UInt64) { cuts.removeAll { $0 == sequence } }

  /// After a checkpoint is durable: histories and records up to it are forgotten.
  package mutating func checkpointed(at sequence: UInt64, states: [Bytes?]) {
    cuts.removeAll { $0 <= sequence && $0 != marker }
    for index in nodes.indices {
      nodes[index].base = (sequence, states[index])
      let keep = nodes[index].history.firstIndex { $0.sequence > sequence }
      nodes[index].history.removeFirst(keep ?? nodes[index].history.count)
      while let first = nodes[index].ownChanges.first, first.sequence <= sequence {
        _ = nodes[index].ownChanges.removeFirst()
      }
      nodes[index].delivered = max(nodes[index].delivered, sequence)
      if !configuration.faults.keepsCheckpointedChanges { settlePending(index, through: sequence) }
    }
    if sequence >= tailBase {
      rare.reach(.checkpointTrims)
      tail.removeFirst(Int(sequence - tailBase) + 1)
      tailBase = sequence + 1
      tailBytes = tail.reduce(0) { $0 + $1.payload.count }
    }
  }

  /// No change that the base has may be merged with one that it has not.
  private mutating func settlePending(_ index: Int, through sequence: UInt64) {
    guard let first = nodes[index].pending.first, first.sequence <= sequence else { return }
    rare.reach(.checkpointSettles)
    switch nodes[index].status {
    case .up, .catchingUp: deliverPending(index, through: sequence)
    case .absent, .restarting, .down: nodes[index].pending.removeAll { $0.sequence <= sequence }
    }
  }

  package var tailCount: Int { tail.count }
}
