import Machines
import PenstockCore
import Testing
import Wire

/// A sequencer without its router: a root and its child `/a`, each a process unless a test places
/// them otherwise; everything is durable at once.
struct SequencerBench {
  static let root = 0
  static let child = 1

  var sequencer: Sequencer
  private(set) var committed: [Committed] = []
  /// By node the last marker that it was sent and has not answered.
  private(set) var markers: [Int: Marker] = [:]
  private(set) var droppedMarkers = 0
  /// By node the last work of a sequence.
  private(set) var works: [[UInt64: Work]]
  private var lastPeer: UInt32 = 0
  private var monotonic: Int64 = 0

  init(
    _ entries: [JournalEntry] = [], from part: RouterPart = RouterPart(sequence: 0, now: 0),
    start: UInt32 = 1, childKind: LevelDescription.Kind = .scope, isChildPlaced: Bool = true
  ) throws {
    let child = try #require(Path("/a"))
    let description = ApplicationDescription(
      name: "two",
      levels: [
        LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
        LevelDescription(path: child, kind: childKind, statePath: ["a"], hasLogic: true),
      ])
    let topology = try Topology(description: description, placement: isChildPlaced ? [child] : [])
    sequencer = Sequencer(
      topology: topology, configuration: SequencerConfiguration(), start: start)
    let states = [Bytes(#"{"a":{}}"#.utf8), Bytes("{}".utf8)]
    sequencer.restore(
      part, states: Array(states.prefix(topology.nodes.count)), entries: entries)
    works = topology.nodes.map { _ in [:] }
    for node in topology.nodes.indices { self.start(node) }
  }

  /// Any tree of levels.
  init(levels: [LevelDescription], placement: [Path], states: [String]) throws {
    let topology = try Topology(
      description: ApplicationDescription(name: "some", levels: levels), placement: placement)
    sequencer = Sequencer(topology: topology, configuration: SequencerConfiguration(), start: 1)
    sequencer.restore(
      RouterPart(sequence: 0, now: 0), states: states.map { Bytes($0.utf8) }, entries: [])
    works = topology.nodes.map { _ in [:] }
    for node in topology.nodes.indices { start(node) }
  }

  mutating func start(_ node: Int) {
    lastPeer += 1
    sequencer.joined(node, PeerID(lastPeer))
    sequencer.ready(node)
    settle()
  }

  mutating func die(_ node: Int) {
    sequencer.lost(node)
    settle()
  }

  mutating func admit(_ count: UInt64, at path: String) throws {
    let path = try #require(Path(path))
    for number in 1...count {
      sequencer.admit(origin: .client(session: 1, sequence: number), path: path, payload: [])
    }
    settle()
  }

  mutating func answer(
    _ node: Int, _ sequence: UInt64, _ transition: Transition = Transition()
  ) {
    answer(node, sequence, .reduced(transition))
  }

  mutating func answer(_ node: Int, _ sequence: UInt64, _ result: Answer.Result) {
    let epoch = works[node][sequence]?.epoch ?? .zero
    sequencer.answered(node, Answer(sequence: sequence, epoch: epoch, result: result))
    settle()
  }

  mutating func startMarker() {
    sequencer.startMarker()
    settle()
  }

  mutating func answerMarker(_ node: Int) throws {
    let sent = markers.removeValue(forKey: node)
    let marker = try #require(sent)
    sequencer.markerAnswered(
      node,
      MarkerAnswer(
        id: marker.id, sequence: marker.sequence, epoch: marker.epoch,
        body: .snapshot(Bytes("{}".utf8))))
    settle()
  }

  mutating func wait(_ time: Int64) {
    monotonic += time
    sequencer.advance(to: ClockReading(monotonic: monotonic, wall: monotonic))
    sequencer.tick()
    settle()
  }

  mutating func settle() {
    while true {
      sequencer.pump()
      let outputs = sequencer.drainOutputs()
      if outputs.isEmpty { return }
      for output in outputs {
        switch output {
        case .append(_, let ticket): sequencer.journaled(ticket: ticket)
        case .committed(let committed): self.committed.append(committed)
        case .toNode(let node, .work(let work)): works[node][work.sequence] = work
        case .toNode(let node, .marker(let marker)): markers[node] = marker
        case .markerDropped: droppedMarkers += 1
        default: break
        }
      }
    }
  }

  var marks: [VoidReason?] { committed.map(\.record.mark) }
  var waiting: Int { sequencer.load(of: Self.child).waiting }
}
