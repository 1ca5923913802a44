import Machines
import PenstockCore
import Testing
import Wire

/// Records that the journal of an earlier start holds.
@Suite struct RecoveredRecordsTests {
  private func record(_ sequence: UInt64, _ origin: Origin) throws -> OrderRecord {
    OrderRecord(
      sequence: sequence, path: try #require(Path("/a")), payload: [], now: 0, seed: sequence,
      origin: origin, correlation: 1)
  }

  @Test func `a send that was unavailable before and after a restart waits again (R2)`() throws {
    let send = Origin.send(cause: 1, index: 0)
    var model = try SequencerBench(
      [
        .record(try record(1, .client(session: 1, sequence: 1))), .record(try record(2, send)),
        .mark(sequence: 2, reason: .unavailable),
      ], start: 2)
    var transition = Transition()
    transition.sends = [Send(path: try #require(Path("/a")), payload: [])]
    model.answer(SequencerBench.child, 1, transition)
    model.answer(SequencerBench.root, 1)
    #expect(model.marks == [nil, .unavailable])
    #expect(model.waiting == 0)
    // It was numbered again, as 3, and its feature owes the answer for too long.
    #expect(model.sequencer.retired == 2)
    model.wait(3_000_000)
    #expect(model.marks == [nil, .unavailable, .unavailable])
    #expect(model.waiting == 1)
    model.start(SequencerBench.child)
    model.answer(SequencerBench.child, 4)
    model.answer(SequencerBench.root, 4)
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
    var model = try SequencerBench(
      [.record(try record(4, first)), .mark(sequence: 4, reason: .unavailable)],
      from: checkpoint.part, start: 2)
    for sequence in 5...6 as ClosedRange<UInt64> {
      model.answer(SequencerBench.child, sequence)
      model.answer(SequencerBench.root, sequence)
    }
    #expect(model.committed.map(\.record.origin) == [first, first, second])
  }

  @Test func `an action that always kills does not keep the router from recovering (R5)`() throws {
    var model = try SequencerBench(
      [.record(try record(1, .client(session: 1, sequence: 1)))], start: 2)
    for _ in 1...9 {
      model.die(SequencerBench.child)
      model.start(SequencerBench.child)
    }
    // Three would do for a new action; this one may have been acknowledged.
    #expect(model.marks == [])
    #expect(model.sequencer.isRecovering)
    model.die(SequencerBench.child)
    #expect(model.marks == [.poison])
    #expect(!model.sequencer.isRecovering)
  }
}
