import Machines
import PenstockCore
import Testing
import Wire

/// Stages that say why a record can't be.
@Suite struct RefusedAnswerTests {
  @Test(arguments: [
    (Answer.Result.tooLarge("1,500 sends"), VoidReason.tooLarge),
    (.undecodable("no action"), .undecodable),
  ])
  func `a refused record is void with its reason, and the next one commits (R6)`(
    result: Answer.Result, reason: VoidReason
  ) throws {
    var model = try SequencerBench()
    try model.admit(2, at: "/")
    model.answer(SequencerBench.root, 1, result)
    #expect(model.marks == [reason])
    #expect(model.committed[0].isVoid)
    #expect(!model.committed[0].diagnostics.isEmpty)
    // It ran ahead on a state that is gone: it was issued again.
    model.answer(SequencerBench.root, 2)
    #expect(model.marks == [reason, nil])
    #expect(model.sequencer.isIdle)
  }

  @Test func `a refusal counts when all before it is retired (N-9)`() throws {
    var model = try SequencerBench()
    try model.admit(2, at: "/a")
    model.answer(SequencerBench.child, 1)
    model.answer(SequencerBench.child, 2, .tooLarge(""))
    #expect(model.marks == [])
    model.answer(SequencerBench.root, 1)
    #expect(model.marks == [nil, .tooLarge])
    #expect(model.sequencer.isIdle)
  }

  @Test func `a refusal on a state that never existed is forgotten (R5)`() throws {
    var model = try SequencerBench()
    try model.admit(2, at: "/a")
    model.answer(SequencerBench.child, 1)
    model.answer(SequencerBench.child, 2, .tooLarge(""))
    // The parent takes away at 1 what made 2 too large.
    var transition = Transition()
    transition.patch = Patch([PatchOperation(path: ["a"], change: .set(Bytes("{}".utf8)))])
    model.answer(SequencerBench.root, 1, .reduced(transition))
    #expect(model.marks == [nil])
    model.answer(SequencerBench.child, 2)
    model.answer(SequencerBench.root, 2)
    #expect(model.marks == [nil, nil])
    #expect(model.sequencer.isIdle)
  }

  @Test func `too many sends of one transition void it (N-9)`() throws {
    var model = try SequencerBench()
    try model.admit(1, at: "/")
    var transition = Transition()
    transition.sends = Array(repeating: Send(path: .root, payload: []), count: 1_025)
    model.answer(SequencerBench.root, 1, .reduced(transition))
    #expect(model.marks == [.tooLarge])
    #expect(model.sequencer.isIdle)
  }
}
