import Machines
import PenstockCore
import Testing

@Suite struct JournalAuditTests {
  private func record(_ sequence: UInt64) -> JournalEntry {
    .record(
      OrderRecord(
        sequence: sequence, path: .root, payload: [], now: 0, seed: 0, origin: .initial,
        correlation: 0))
  }

  private func checkpoint(_ sequence: UInt64, of other: UInt64? = nil) throws -> JournalEntry {
    let body = Checkpoint(
      schemaHash: 1, part: RouterPart(sequence: other ?? sequence, now: 0), state: [],
      sessions: [:],
      quarantine: Quarantine())
    return .checkpoint(sequence: sequence, body: try body.encode())
  }

  private func fault(_ entries: [JournalEntry]) -> String? {
    var audit = JournalAudit()
    for (index, entry) in entries.enumerated() {
      if let fault = audit.take(entry, at: Int64(index) + 1) { return fault }
    }
    return audit.gap
  }

  @Test func `an order as a router writes it has no fault`() throws {
    #expect(fault([]) == nil)
    #expect(fault([.start(number: 1, now: 0)]) == nil)
    #expect(
      fault([
        .start(number: 1, now: 0), record(0), try checkpoint(0), record(1), record(2),
        try checkpoint(1), .start(number: 3, now: 0), record(3),
        .mark(sequence: 2, reason: .poison),
      ]) == nil)
    // What is before the cut is forgotten, a mark for it is not.
    #expect(
      fault([record(7), .mark(sequence: 5, reason: .poison), try checkpoint(6), record(8)]) == nil)
    #expect(fault([try checkpoint(6), record(7)]) == nil)
  }

  @Test func `gaps and what stands in the wrong place are named (J-4)`() throws {
    let good: [JournalEntry] = [.start(number: 2, now: 0), record(0), try checkpoint(0), record(1)]
    #expect(fault(good + [record(3)]) == "is record 3, after 1")
    #expect(fault(good + [record(1)]) == "is record 1, after 1")
    #expect(fault(good + [.start(number: 2, now: 0)]) == "is start 2, after 2")
    #expect(
      fault(good + [.mark(sequence: 2, reason: .poison)])
        == "voids record 2, which does not stand before it")
    #expect(
      fault(good + [try checkpoint(2)])
        == "is a checkpoint of record 2, which does not stand before it")
    #expect(
      fault(good + [try checkpoint(1), try checkpoint(0)])
        == "is a checkpoint of record 0, after one of 1")
    #expect(
      fault(good + [try checkpoint(1, of: 4)])
        == "is a checkpoint of record 1, and its body is one of 4")
    #expect(
      fault(good + [.checkpoint(sequence: 1, body: [77])])?
        .hasPrefix("is a checkpoint that can't be read") == true)
  }

  @Test func `an order without the checkpoint that it needs has a gap`() throws {
    #expect(fault([record(0), record(1)]) == "it has records and no checkpoint")
    #expect(
      fault([record(5), record(6), try checkpoint(3)])
        == "it begins with record 5, and its first checkpoint covers those up to 3")
  }
}
