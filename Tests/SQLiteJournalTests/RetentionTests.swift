import Machines
import PenstockCore
import SQLiteJournal
import Testing

@Suite struct RetentionTests {
  let sample = SampleJournal()

  @Test func `old checkpoints and what is before them are forgotten, the chain goes on (J-8)`()
    throws
  {
    try sample.open(retention: Retention(records: 100))
    var entries = try SampleJournal.entries(last: 5_000)
    let all = entries
    while !entries.isEmpty {
      #expect(try sample.append(Array(entries.prefix(7))) == nil)
      entries.removeFirst(min(7, entries.count))
    }
    sample.close()
    let audit = try SQLiteJournal.verify(path: sample.path)
    let first = try #require(audit.firstRecord)
    #expect((4_880...4_900).contains(first), "\(first)")
    #expect(audit.lastRecord == 5_000)
    let kept = try SQLiteJournal.entries(path: sample.path, application: "test")
    #expect(kept == Array(all.suffix(kept.count)))
    // Whoever opens it goes on with the same chain.
    try sample.open()
    #expect(try sample.append([SampleJournal.record(5_001)]) == nil)
    sample.close()
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 5_001)
  }

  @Test func `what a start needs stays, whatever the retention says (J-8)`() throws {
    try sample.open(retention: Retention(age: 0, bytes: 0, records: 0))
    let entries = try SampleJournal.entries(last: 28)
    #expect(try sample.append(entries) == nil)
    // The last checkpoint covers 20; records 21 and 22 stand before it.
    let contents = try sample.load()
    let numbers = contents.entries.compactMap { entry -> UInt64? in
      if case .record(let record) = entry { record.sequence } else { nil }
    }
    #expect(numbers == Array(21...28))
    #expect(contents.chain == chain(of: entries))
    sample.close()
    #expect(try SQLiteJournal.verify(path: sample.path).firstRecord == 21)
    #expect(try JournalStatistics(path: sample.path).forgotten > 0)
  }

  @Test func `a transaction forgets a bounded number of entries`() throws {
    try sample.make(SampleJournal.entries(last: 2_000))
    try sample.open(retention: Retention(records: 0))
    #expect(try sample.append([SampleJournal.record(2_001)]) == nil)
    sample.close()
    #expect(try JournalStatistics(path: sample.path).forgotten == 66)
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 2_001)
  }

  @Test func `the file stops growing at its limit`() throws {
    try sample.open(retention: Retention(bytes: 1_000_000))
    let payload = Bytes(repeating: UInt8(ascii: "x"), count: 300)
    #expect(try sample.append(SampleJournal.entries(last: 0)) == nil)
    var largest: Int64 = 0
    for batch in 0..<300 {
      let first = UInt64(batch) * 100 + 1
      var entries = (first..<first + 100).map { SampleJournal.record($0, payload: payload) }
      entries.append(try SampleJournal.checkpoint(first + 99))
      #expect(try sample.append(entries) == nil)
      if batch % 50 == 49 {
        largest = max(largest, try JournalStatistics(path: sample.path).fileBytes)
      }
    }
    sample.close()
    #expect(largest < 1_300_000, "\(largest)")
    #expect(try JournalStatistics(path: sample.path).fileBytes < 1_300_000)
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 30_000)
  }

  @Test func `a journal that keeps a week keeps it`() throws {
    // A record is a millisecond of order time.
    try sample.open(retention: Retention(age: 500_000))
    #expect(try sample.append(SampleJournal.entries(last: 2_000)) == nil)
    sample.close()
    let first = try #require(try SQLiteJournal.verify(path: sample.path).firstRecord)
    #expect((1_490...1_500).contains(first), "\(first)")
  }

  private func chain(of entries: [JournalEntry]) -> HashChain {
    var chain = HashChain()
    for entry in entries { chain.append(entry) }
    return chain
  }
}
