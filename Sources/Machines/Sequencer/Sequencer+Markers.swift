package import PenstockCore
package import Wire

/// A consistent cut: what each node's own state was as of one sequence (R7).
package struct ReleasedMarker: Sendable {
  package var id: UInt32
  package var sequence: UInt64
  /// By node; nil for a node whose process was not there: its last cut stays.
  package var bodies: [StateMessage.Body?]
  /// The router's part as of the same sequence.
  package var part: RouterPart
}

extension Sequencer {
  package var hasMarker: Bool { marker != nil }
  package var isEveryNodeUp: Bool { nodes.allSatisfy { $0.status == .up } }

  /// Queues a marker behind everything that has a number.
  package mutating func startMarker(id: UInt32) {
    precondition(marker == nil, "one marker is on its way at a time")
    marker = (id, next - 1, releasedMarker)
    capture = inFlight.isEmpty ? part() : nil
    for index in nodes.indices { nodes[index].marker = .unsent }
  }

  mutating func sendMarkerIfReady(_ index: Int) {
    guard let marker, case .unsent = nodes[index].marker else { return }
    guard nodes[index].delivered <= marker.sequence else { return }
    if nodes[index].issued < nodes[index].stages.count,
      nodes[index].stages[nodes[index].issued] <= marker.sequence
    {
      return
    }
    nodes[index].marker = .sent
    nodes[index].markersOutstanding += 1
    outputs.append(
      .toNode(
        index,
        .marker(
          Marker(id: marker.id, sequence: marker.sequence, epoch: epoch, since: marker.since))))
  }

  package mutating func markerAnswered(_ index: Int, _ answer: MarkerAnswer) {
    nodes[index].markersOutstanding -= 1
    guard let marker, answer.id == marker.id, nodes[index].markersOutstanding == 0,
      case .sent = nodes[index].marker
    else { return }
    nodes[index].marker = .answered(answer.body)
    releaseMarkerIfReady()
  }

  /// Released when its sequence is committed and every node that is up has answered.
  mutating func releaseMarkerIfReady() {
    guard let marker, committedThrough >= marker.sequence || marker.sequence == 0, let capture
    else { return }
    var bodies: [StateMessage.Body?] = []
    for node in nodes {
      switch (node.marker, node.status) {
      case (.answered(let body), _): bodies.append(body)
      case (_, .up), (_, .catchingUp), (_, .restarting): return
      default: bodies.append(nil)
      }
    }
    outputs.append(
      .markerReleased(
        ReleasedMarker(
          id: marker.id, sequence: marker.sequence, bodies: bodies, part: capture)))
    releasedMarker = marker.id
    self.marker = nil
    self.capture = nil
    for index in nodes.indices { nodes[index].marker = .none }
  }

  /// After a checkpoint is durable: histories and records up to it are forgotten.
  package mutating func checkpointed(at sequence: UInt64, states: [Bytes?]) {
    for index in nodes.indices {
      nodes[index].base = (sequence, states[index])
      if let keep = nodes[index].history.firstIndex(where: { $0.sequence > sequence }) {
        nodes[index].history.removeSubrange(..<keep)
      } else {
        nodes[index].history = []
      }
      nodes[index].delivered = max(nodes[index].delivered, sequence)
    }
    if sequence >= tailBase {
      tail.removeFirst(Int(sequence - tailBase) + 1)
      tailBase = sequence + 1
    }
  }

  package var tailCount: Int { tail.count }
}
