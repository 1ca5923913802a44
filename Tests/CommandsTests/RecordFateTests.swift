import Commands
import Machines
import PenstockCore
import Testing

@Suite struct RecordFateTests {
  private let effect = EffectID(sequence: 5, path: .root, index: 0)

  private func record(_ sequence: UInt64, _ origin: Origin) -> OrderRecord {
    OrderRecord(
      sequence: sequence, path: .root, payload: [], now: 0, seed: 0, origin: origin,
      correlation: 0)
  }

  @Test func `what follows from a record, or covers it, says that it is retired (J-15)`() {
    let origins: [Origin] = [
      .send(cause: 5, index: 0), .output(effect: effect, index: 0, isFinal: false),
      .end(effect: effect), .timer(effect: effect, due: 1), .retry(effect: effect),
    ]
    #expect(origins.allSatisfy { JournalEntry.record(record(9, $0)).retires == 5 })
    #expect(JournalEntry.checkpoint(sequence: 7, body: []).retires == 7)
    #expect(JournalEntry.record(record(9, .client(session: 1, sequence: 1))).retires == nil)
    #expect(JournalEntry.mark(sequence: 9, reason: .poison).retires == nil)
    #expect(JournalEntry.start(number: 9, now: 0).retires == nil)
  }
}
