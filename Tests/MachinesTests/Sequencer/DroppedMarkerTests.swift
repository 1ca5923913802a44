@testable import Machines
import PenstockCore
import Testing
import Wire

/// A cut that can't be completed: the next one begins where the last complete one was.
@Suite struct DroppedMarkerTests {
  private var bench: SequencerBench

  init() throws { bench = try SequencerBench() }

  private mutating func reduce(_ sequence: UInt64) {
    bench.sequencer.admit(
      origin: .client(session: 1, sequence: sequence), path: .root, payload: [])
    bench.settle()
    bench.answer(SequencerBench.root, sequence)
  }

  private mutating func dropCut() throws {
    // Nobody follows the root's state, so the router can't compose it.
    reduce(1)
    bench.startMarker()
    try bench.answerMarker(SequencerBench.root)
    reduce(2)
    // The root's next process is beyond the marker already.
    bench.die(SequencerBench.root)
    bench.start(SequencerBench.root)
    try bench.answerMarker(SequencerBench.child)
  }

  @Test mutating func `what was answered to a dropped marker is no base for the next (R7)`() throws
  {
    try dropCut()
    #expect(bench.droppedMarkers == 1)
    bench.startMarker()
    #expect(try #require(bench.markers[SequencerBench.child]).since == nil)
  }

  @Test mutating func `a released cut counts until it is durable as a checkpoint`() throws {
    reduce(1)
    bench.startMarker()
    try bench.answerMarker(SequencerBench.root)
    try bench.answerMarker(SequencerBench.child)
    #expect(!bench.sequencer.hasMarker)
    #expect(bench.sequencer.cuts == [1])
    reduce(2)
    bench.startMarker()
    #expect(bench.sequencer.cuts == [1, 2])
    bench.sequencer.checkpointed(at: 1, states: [nil, nil])
    #expect(bench.sequencer.cuts == [2])
    try bench.answerMarker(SequencerBench.root)
    try bench.answerMarker(SequencerBench.child)
    bench.sequencer.forgetCut(2)
    #expect(bench.sequencer.cuts == [])
  }

  @Test mutating func `a tap makes no cut possible that is none without it`() throws {
    bench.sequencer.wantsPatches = true
    try dropCut()
    #expect(bench.droppedMarkers == 1)
  }
}
