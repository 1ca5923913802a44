import Machines
import PenstockCore
import Testing
import Wire

/// Stages that say why a record can't be.
@Suite struct RefusedAnswerTests {
  /// The root and its child `/a`, each a process; everything is durable at once.
  struct Model {
    static let root = 0
    static let child = 1

    var sequencer: Sequencer
    var committed: [Committed] = []
    /// The epoch of the last work that a node was given of a sequence.
    var epochs: [[UInt64: Epoch]] = [[:], [:]]

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
      for node in [Self.root, Self.child] {
        sequencer.joined(node, PeerID(UInt32(node) + 1))
        sequencer.ready(node)
      }
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
          case .toNode(let node, .work(let work)): epochs[node][work.sequence] = work.epoch
          default: break
          }
        }
      }
    }

    mutating func admit(_ count: UInt64, at path: String) throws {
      let path = try #require(Path(path))
      for number in 1...count {
        sequencer.admit(
          origin: .client(session: 1, sequence: number), path: path, payload: [])
      }
      settle()
    }

    mutating func answer(
      _ node: Int, _ sequence: UInt64, _ result: Answer.Result = .reduced(Transition())
    ) {
      let epoch = epochs[node][sequence] ?? .zero
      sequencer.answered(node, Answer(sequence: sequence, epoch: epoch, result: result))
      settle()
    }

    var marks: [VoidReason?] { committed.map(\.record.mark) }
  }

  @Test(arguments: [
    (Answer.Result.tooLarge("1,500 sends"), VoidReason.tooLarge),
    (.undecodable("no action"), .undecodable),
  ])
  func `a refused record is void with its reason, and the next one commits (R6)`(
    result: Answer.Result, reason: VoidReason
  ) throws {
    var model = try Model()
    try model.admit(2, at: "/")
    model.answer(Model.root, 1, result)
    #expect(model.marks == [reason])
    #expect(model.committed[0].isVoid)
    #expect(!model.committed[0].diagnostics.isEmpty)
    // It ran ahead on a state that is gone: it was issued again.
    model.answer(Model.root, 2)
    #expect(model.marks == [reason, nil])
    #expect(model.sequencer.isIdle)
  }

  @Test func `a refusal counts when all before it is retired (N-9)`() throws {
    var model = try Model()
    try model.admit(2, at: "/a")
    model.answer(Model.child, 1)
    model.answer(Model.child, 2, .tooLarge(""))
    #expect(model.marks == [])
    model.answer(Model.root, 1)
    #expect(model.marks == [nil, .tooLarge])
    #expect(model.sequencer.isIdle)
  }

  @Test func `a refusal on a state that never existed is forgotten (R5)`() throws {
    var model = try Model()
    try model.admit(2, at: "/a")
    model.answer(Model.child, 1)
    model.answer(Model.child, 2, .tooLarge(""))
    // The parent takes away at 1 what made 2 too large.
    var transition = Transition()
    transition.patch = Patch([PatchOperation(path: ["a"], change: .set(Bytes("{}".utf8)))])
    model.answer(Model.root, 1, .reduced(transition))
    #expect(model.marks == [nil])
    model.answer(Model.child, 2)
    model.answer(Model.root, 2)
    #expect(model.marks == [nil, nil])
    #expect(model.sequencer.isIdle)
  }

  @Test func `too many sends of one transition void it (N-9)`() throws {
    var model = try Model()
    try model.admit(1, at: "/")
    var transition = Transition()
    transition.sends = Array(repeating: Send(path: .root, payload: []), count: 1_025)
    model.answer(Model.root, 1, .reduced(transition))
    #expect(model.marks == [.tooLarge])
    #expect(model.sequencer.isIdle)
  }
}
