import Machines
import PenstockCore
import Testing
import Wire

/// Records that the journal of an earlier start holds.
@Suite struct RecoveredRecordsTests {
  /// The root and its child `/a`, each a process; everything is durable at once.
  struct Model {
    static let root = 0
    static let child = 1

    var sequencer: Sequencer
    var committed: [Committed] = []
    private var epochs: [[UInt64: Epoch]] = [[:], [:]]
    private var lastPeer: UInt32 = 0
    private var monotonic: Int64 = 0

    init(
      _ entries: [JournalEntry], from part: RouterPart = RouterPart(sequence: 0, now: 0)
    ) throws {
      let child = try #require(Path("/a"))
      let description = ApplicationDescription(
        name: "two",
        levels: [
          LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
          LevelDescription(path: child, kind: .scope, statePath: ["a"], hasLogic: true),
        ])
      sequencer = Sequencer(
        topology: try Topology(description: description, placement: [child]),
        configuration: SequencerConfiguration(), start: 2)
      sequencer.restore(
        part,
        states: [Bytes(#"{"a":{}}"#.utf8), Bytes("{}".utf8)], entries: entries)
      start(Self.root)
      start(Self.child)
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

    mutating func answer(
      _ node: Int, _ sequence: UInt64, _ transition: Transition = Transition()
    ) {
      let epoch = epochs[node][sequence] ?? .zero
      sequencer.answered(
        node, Answer(sequence: sequence, epoch: epoch, result: .reduced(transition)))
      settle()
    }

    mutating func wait(_ time: Int64) {
      monotonic += time
      sequencer.advance(to: ClockReading(monotonic: monotonic, wall: monotonic))
      sequencer.tick()
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
          case .committed(let committed): self.committed.append(committed)
          case .toNode(let node, .work(let work)): epochs[node][work.sequence] = work.epoch
          default: break
          }
        }
      }
    }

    var marks: [VoidReason?] { committed.map(\.record.mark) }
    var waiting: Int { sequencer.load(of: Self.child).waiting }
  }

  private func record(_ sequence: UInt64, _ origin: Origin) throws -> OrderRecord {
    OrderRecord(
      sequence: sequence, path: try #require(Path("/a")), payload: [], now: 0, seed: sequence,
      origin: origin, correlation: 1)
  }

  @Test func `a send that was unavailable before and after a restart waits again (R2)`() throws {
    let send = Origin.send(cause: 1, index: 0)
    var model = try Model([
      .record(try record(1, .client(session: 1, sequence: 1))), .record(try record(2, send)),
      .mark(sequence: 2, reason: .unavailable),
    ])
    var transition = Transition()
    transition.sends = [Send(path: try #require(Path("/a")), payload: [])]
    model.answer(Model.child, 1, transition)
    model.answer(Model.root, 1)
    #expect(model.marks == [nil, .unavailable])
    #expect(model.waiting == 0)
    // It was numbered again, as 3, and its feature owes the answer for too long.
    #expect(model.sequencer.retired == 2)
    model.wait(3_000_000)
    #expect(model.marks == [nil, .unavailable, .unavailable])
    #expect(model.waiting == 1)
    model.start(Model.child)
    model.answer(Model.child, 4)
    model.answer(Model.root, 4)
    #expect(model.marks == [nil, .unavailable, .unavailable, nil])
    #expect(model.committed.last?.record.origin == send)
    #expect(model.sequencer.isIdle)
  }

  @Test func `what waits at a checkpoint comes after what was voided before it waited (R2)`() throws
  {
    let (first, second) = (Origin.send(cause: 3, index: 0), Origin.send(cause: 3, index: 1))
    let path = try #require(Path("/a"))
    // 4 was given to the first when the second began to wait, and voided after the cut.
    var checkpoint = Checkpoint(
      schemaHash: 0,
      part: RouterPart(
        sequence: 3, now: 0,
        waiting: [Waiting(origin: second, path: path, payload: [], correlation: 1, since: 5)]),
      state: Bytes("{}".utf8), sessions: [:], quarantine: Quarantine(), failed: FailedEffects())
    checkpoint = try Checkpoint(decoding: try checkpoint.encode())
    var model = try Model(
      [.record(try record(4, first)), .mark(sequence: 4, reason: .unavailable)],
      from: checkpoint.part)
    for sequence in 5...6 as ClosedRange<UInt64> {
      model.answer(Model.child, sequence)
      model.answer(Model.root, sequence)
    }
    #expect(model.committed.map(\.record.origin) == [first, first, second])
  }

  @Test func `an action that always kills does not keep the router from recovering (R5)`() throws {
    var model = try Model([.record(try record(1, .client(session: 1, sequence: 1)))])
    for _ in 1...9 {
      model.die(Model.child)
      model.start(Model.child)
    }
    // Three would do for a new action; this one may have been acknowledged.
    #expect(model.marks == [])
    #expect(model.sequencer.isRecovering)
    model.die(Model.child)
    #expect(model.marks == [.poison])
    #expect(!model.sequencer.isRecovering)
  }
}
