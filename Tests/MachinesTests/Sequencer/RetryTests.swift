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

  private var bench: SequencerBench

  /// A root with an optional, which was mounted by record 3.
  init() throws {
    var part = RouterPart(sequence: 9, now: 0)
    part.mounts[Self.place] = MountTable.Mount(
      id: "x", generation: Generation(sequence: 3, ordinal: 0))
    bench = try SequencerBench(from: part, childKind: .optional, isChildPlaced: false)
  }

  private mutating func answer(
    _ sequence: UInt64, _ effects: [EffectCommand] = [], _ mounts: [MountChange] = []
  ) {
    var transition = Transition()
    transition.effects = effects
    transition.mounts = mounts
    bench.answer(SequencerBench.root, sequence, transition)
  }

  private mutating func retry(startedAt sequence: UInt64) {
    bench.sequencer.admit(
      origin: .retry(effect: EffectID(sequence: sequence, path: Self.place, index: 0)),
      path: Self.place, payload: ReservedPayload.starting([.start(Self.start)]))
    bench.settle()
  }

  @Test mutating func `K-1: a retry starts the effect while its owner is the same mount`() {
    retry(startedAt: 3)
    answer(10, [.start(Self.start)])
    #expect(bench.committed.map(\.isVoid) == [false])
    #expect(bench.sequencer.effects.living.keys.map(\.description) == ["10/a#0"])
  }

  @Test mutating func `K-1: a retry of what an earlier mount started is void`() {
    retry(startedAt: 2)
    #expect(bench.committed.map(\.isVoid) == [true])
    #expect(bench.sequencer.effects.living.isEmpty && bench.sequencer.isIdle)
  }

  @Test(arguments: [nil, "y"])
  mutating func `K-1: a retry is void when a record before it takes its owner away`(after: String?)
  {
    bench.sequencer.admit(origin: .client(session: 1, sequence: 1), path: .root, payload: [])
    retry(startedAt: 5)
    // The node ran ahead on the mount that goes away.
    answer(10, [], [MountChange(path: Self.place, before: "x", after: after)])
    answer(11, [.start(Self.start)])
    #expect(bench.committed.map(\.isVoid) == [false, true])
    #expect(bench.sequencer.effects.living.isEmpty && bench.sequencer.isIdle)
  }
}
