@testable import Machines
import PenstockCore
import Testing
import Wire

/// A cut that can't be completed: the next one begins where the last complete one was.
@Suite struct DroppedMarkerTests {
  private static let (root, child) = (0, 1)

  private var sequencer: Sequencer
  private var markers: [Int: Marker] = [:]
  private var epochs: [UInt64: Epoch] = [:]
  private var dropped = 0

  init() throws {
    let child = try #require(Path("/a"))
    let description = ApplicationDescription(
      name: "two",
      levels: [
        LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
        LevelDescription(path: child, kind: .scope, statePath: ["a"], hasLogic: true),
      ])
    sequencer = Sequencer(
      topology: try Topology(description: description, placement: [child]),
      configuration: SequencerConfiguration(), start: 1)
    sequencer.restore(
      RouterPart(sequence: 0, now: 0),
      states: [Bytes(#"{"a":{}}"#.utf8), Bytes("{}".utf8)], entries: [])
    start(Self.root, PeerID(1))
    start(Self.child, PeerID(2))
  }

  private mutating func start(_ node: Int, _ peer: PeerID) {
    sequencer.joined(node, peer)
    sequencer.ready(node)
    settle()
  }

  private mutating func settle() {
    while true {
      sequencer.pump()
      let outputs = sequencer.drainOutputs()
      if outputs.isEmpty { return }
      for output in outputs {
        switch output {
        case .append(_, let ticket): sequencer.journaled(ticket: ticket)
        case .toNode(let node, .marker(let marker)): markers[node] = marker
        case .toNode(_, .work(let work)): epochs[work.sequence] = work.epoch
        case .markerDropped: dropped += 1
        default: break
        }
      }
    }
  }

  private mutating func reduce(_ sequence: UInt64) {
    sequencer.admit(origin: .client(session: 1, sequence: sequence), path: .root, payload: [])
    settle()
    let epoch = epochs[sequence] ?? .zero
    sequencer.answered(
      Self.root, Answer(sequence: sequence, epoch: epoch, result: .reduced(Transition())))
    settle()
  }

  private mutating func answerMarker(_ node: Int) throws {
    let sent = markers.removeValue(forKey: node)
    let marker = try #require(sent)
    sequencer.markerAnswered(
      node,
      MarkerAnswer(
        id: marker.id, sequence: marker.sequence, epoch: marker.epoch,
        body: .snapshot(Bytes("{}".utf8))))
    settle()
  }

  private mutating func dropCut() throws {
    // Nobody follows the root's state, so the router can't compose it.
    reduce(1)
    sequencer.startMarker()
    settle()
    try answerMarker(Self.root)
    reduce(2)
    // The root's next process is beyond the marker already.
    sequencer.lost(Self.root)
    start(Self.root, PeerID(3))
    try answerMarker(Self.child)
  }

  @Test mutating func `what was answered to a dropped marker is no base for the next (R7)`() throws
  {
    try dropCut()
    #expect(dropped == 1)
    sequencer.startMarker()
    settle()
    #expect(try #require(markers[Self.child]).since == nil)
  }

  @Test mutating func `a released cut counts until it is durable as a checkpoint`() throws {
    reduce(1)
    sequencer.startMarker()
    settle()
    try answerMarker(Self.root)
    try answerMarker(Self.child)
    #expect(!sequencer.hasMarker)
    #expect(sequencer.cuts == [1])
    reduce(2)
    sequencer.startMarker()
    settle()
    #expect(sequencer.cuts == [1, 2])
    sequencer.checkpointed(at: 1, states: [nil, nil])
    #expect(sequencer.cuts == [2])
    try answerMarker(Self.root)
    try answerMarker(Self.child)
    sequencer.forgetCut(2)
    #expect(sequencer.cuts == [])
  }

  @Test mutating func `a tap makes no cut possible that is none without it`() throws {
    sequencer.wantsPatches = true
    try dropCut()
    #expect(dropped == 1)
  }
}
