import Machines
import PenstockCore
import Testing

@Suite struct JournalOrderTests {
  private func record(_ sequence: UInt64, _ origin: Origin) -> OrderRecord {
    OrderRecord(
      sequence: sequence, path: .root, payload: [], now: 0, seed: 0, origin: origin,
      correlation: 0)
  }

  @Test func `a mark is merged into its record, however late it stands (J-3)`() {
    let records = (3...6).map { record($0, .client(session: 1, sequence: $0)) }
    let entries: [JournalEntry] =
      [.mark(sequence: 2, reason: .poison)] + records.map(JournalEntry.record)
      + [.mark(sequence: 4, reason: .unavailable), .mark(sequence: 9, reason: .poison)]
    #expect(entries.order.map(\.mark) == [nil, .unavailable, nil, nil])
  }
}
