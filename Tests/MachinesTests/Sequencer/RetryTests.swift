@testable import Machines
import PenstockCore
import Testing
import Wire

/// A record that starts a failed effect again, when what started it first may be gone.
@Suite struct RetryTests {
  private static let place = Path("/a")!
  private static let start = EffectStart(
    path: place,
    kind: .operation(
      name: "op", input: [], output: OutputCase(cases: ["done"], isOutcome: true),
      policy: EffectPolicy()))

  private var sequencer: Sequencer
  private var committed: [Committed] = []
  private var epochs: [UInt64: Epoch] = [:]

  /// A root with an optional, which was mounted by record 3.
  init() throws {
    let description = ApplicationDescription(
      name: "one",
      levels: [
        LevelDescription(path: .root, kind: .root, statePath: [], hasLogic: true),
        LevelDescription(path: Self.place, kind: .optional, statePath: ["a"], hasLogic: true),
      ])
    sequencer = Sequencer(
      topology: try Topology(description: description, placement: []),
      configuration: SequencerConfiguration(), start: 1)
    var part = RouterPart(sequence: 9, now: 0)
    part.mounts[Self.place] = MountTable.Mount(
      id: "x", generation: Generation(sequence: 3, ordinal: 0))
    sequencer.restore(part, states: [Bytes(#"{"a":{}}"#.utf8)], entries: [])
    sequencer.joined(0, PeerID(1))
    sequencer.ready(0)
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
        case .toNode(_, .work(let work)): epochs[work.sequence] = work.epoch
        default: break
        }
      }
    }
  }

  private mutating func answer(
    _ sequence: UInt64, _ effects: [EffectCommand] = [], _ mounts: [MountChange] = []
  ) {
    var transition = Transition()
    transition.effects = effects
    transition.mounts = mounts
    sequencer.answered(
      0,
      Answer(
        sequence: sequence, epoch: epochs[sequence] ?? .zero, result: .reduced(transition)))
    settle()
  }

  private mutating func retry(startedAt sequence: UInt64) {
    sequencer.admit(
      origin: .retry(effect: EffectID(sequence: sequence, path: Self.place, index: 0)),
      path: Self.place, payload: ReservedPayload.starting([.start(Self.start)]))
    settle()
  }

  @Test mutating func `K-1: a retry starts the effect while its owner is the same mount`() {
    retry(startedAt: 3)
    answer(10, [.start(Self.start)])
    #expect(committed.map(\.isVoid) == [false])
    #expect(sequencer.effects.living.keys.map(\.description) == ["10/a#0"])
  }

  @Test mutating func `K-1: a retry of what an earlier mount started is void`() {
    retry(startedAt: 2)
    #expect(committed.map(\.isVoid) == [true])
    #expect(sequencer.effects.living.isEmpty && sequencer.isIdle)
  }

  @Test(arguments: [nil, "y"])
  mutating func `K-1: a retry is void when a record before it takes its owner away`(after: String?)
  {
    sequencer.admit(origin: .client(session: 1, sequence: 1), path: .root, payload: [])
    retry(startedAt: 5)
    // The node ran ahead on the mount that goes away.
    answer(10, [], [MountChange(path: Self.place, before: "x", after: after)])
    answer(11, [.start(Self.start)])
    #expect(committed.map(\.isVoid) == [false, true])
    #expect(sequencer.effects.living.isEmpty && sequencer.isIdle)
  }
}
