import PenstockCore
import Wire

extension RouterMachine {
  mutating func subscribed(_ peer: PeerID, _ id: UInt32, _ path: Path) {
    subscriptions.removeAll { $0.peer == peer && $0.id == id }
    subscriptions.append(Subscription(peer: peer, id: id, path: path))
  }

  /// Whether a reader lacks something that is committed.
  var hasNews: Bool {
    guard isReady, let head = sequencer?.committedThrough else { return false }
    return subscriptions.contains { $0.asOf.map { $0 < head } ?? true }
  }

  /// Records after which a checkpoint is due. Large ones are written more rarely: checkpoints don't
  /// outgrow the records between them.
  package var recordsForCheckpoint: Int {
    max(configuration.checkpointInterval, checkpointSize / 400)
  }

  /// Whether so much came since the last one that it is time for the next.
  private var isCheckpointDue: Bool {
    sequencer!.tailCount >= recordsForCheckpoint
      || sequencer!.tailBytes >= max(configuration.checkpointBytes, 4 * checkpointSize)
  }

  /// Starts a marker when somebody waits for one: a reader, or a checkpoint.
  mutating func startMarkerIfNeeded() {
    guard sequencer != nil, !sequencer!.hasMarker, isReady else { return }
    let isDue = (isCheckpointDue || needsCheckpoint) && !isCheckpointing
    guard isDue || (hasNews && clock.monotonic >= nextPublication) else { return }
    if isDue { isCheckpointing = true }
    nextPublication = clock.monotonic + configuration.publicationInterval
    sequencer!.startMarker()
  }

  /// A cut is complete: the merged state moves there, readers and the journal get it.
  mutating func released(_ marker: ReleasedMarker) {
    defer {
      if pendingCheckpoint?.sequence != marker.sequence { sequencer!.forgetCut(marker.sequence) }
    }
    let topology = sequencer!.topology
    var changes = Patch()
    for (index, body) in marker.bodies.enumerated() {
      let path = topology.nodes[index].statePath
      do throws(JSONError) {
        switch body {
        case .snapshot(nil): continue
        case .snapshot(let bytes?):
          try replace(index, path, bytes, &changes)
        case .changes(_, let patch):
          try apply(patch.lifted(by: path), &changes)
        }
      } catch {
        return distrust(index, error)
      }
    }
    guard document != nil else {
      // Changes without a state to change: readers wait for a whole one, they are not told "nothing".
      isCheckpointing = pendingCheckpoint != nil
      return sequencer!.forgetMarkers()
    }
    publish(changes, asOf: marker.sequence)
    if isCheckpointing, pendingCheckpoint == nil { checkpoint(marker) }
  }

  /// A node's whole own state: what placed children had in the merged state stays there.
  private mutating func replace(
    _ index: Int, _ path: [String], _ bytes: Bytes, _ changes: inout Patch
  ) throws(JSONError) {
    let whole = try JSONDocument(bytes)
    let topology = sequencer!.topology
    let kept = topology.nodes[index].descendants.compactMap { child -> ([String], Bytes)? in
      let place = topology.nodes[child].statePath
      guard JSONScan.state(at: Array(place.dropFirst(path.count)), in: bytes) != nil,
        let old = document?.subtree(at: place)
      else { return nil }
      return (place, old)
    }
    if path.isEmpty, document == nil {
      document = whole
      changes.operations.append(PatchOperation(path: [], change: .set(bytes)))
    } else {
      try apply(Patch([PatchOperation(path: path, change: .set(bytes))]), &changes)
    }
    for (place, old) in kept {
      try apply(Patch([PatchOperation(path: place, change: .set(old))]), &changes)
    }
  }

  private mutating func apply(_ patch: Patch, _ changes: inout Patch) throws(JSONError) {
    try document?.apply(patch)
    changes.operations += patch.operations
  }

  /// What a feature says of its state can't be (S-11): it is refused, and every node is asked for its
  /// whole state, because the merged one may have taken a part of that in.
  private mutating func distrust(_ node: Int, _ error: JSONError) {
    let path = sequencer!.topology.nodes[node].path
    let why = "what \(path) says of its state can't be: \(error.description)"
    guard let peer = sequencer!.peer(of: node) else {
      outputs.append(.stop(why))
      return
    }
    document = nil
    isCheckpointing = pendingCheckpoint != nil
    sequencer!.forgetMarkers()
    ended(peer, "lost")
    refuse(peer, .malformed, why)
  }

  private mutating func publish(_ changes: Patch, asOf sequence: UInt64) {
    guard let topology = sequencer?.topology else { return }
    for index in subscriptions.indices {
      var subscription = subscriptions[index]
      let place = topology.statePath(of: subscription.path)
      let body: StateMessage.Body
      let inner = place.flatMap { changes.inside($0) }
      if let from = subscription.asOf, let inner, subscription.wasMounted {
        // Without a change too: the reader sees how far the state is known.
        body = .changes(from: from, inner)
      } else {
        let state = place.flatMap { document?.subtree(at: $0) }.flatMap {
          $0 == Array("null".utf8) ? nil : $0
        }
        subscription.wasMounted = state != nil
        body = .snapshot(state)
      }
      subscription.asOf = sequence
      subscriptions[index] = subscription
      send(
        subscription.peer,
        .state(StateMessage(subscription: subscription.id, asOf: sequence, body: body)))
    }
  }
}

extension Patch {
  /// The changes inside the state at `path`; nil when a change replaces something above it.
  func inside(_ path: [String]) -> Patch? {
    var inner: [PatchOperation] = []
    for operation in operations {
      if operation.path.count >= path.count {
        guard operation.path.starts(with: path) else { continue }
        if operation.path.count == path.count, !path.isEmpty { return nil }
        inner.append(
          PatchOperation(
            path: Array(operation.path.dropFirst(path.count)), change: operation.change))
      } else if path.starts(with: operation.path) {
        return nil
      }
    }
    return Patch(inner)
  }
}
