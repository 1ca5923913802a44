import Glibc
import Machines
import PenstockCore
import ProcessSupport
import SQLiteJournal
import Testing

@Suite struct DamageTests {
  let sample = SampleJournal()

  @Test func `verify counts what it looked at`() throws {
    let entries = try SampleJournal.entries(last: 25) + [.mark(sequence: 24, reason: .poison)]
    try sample.make(entries)
    let audit = try SQLiteJournal.verify(path: sample.path)
    #expect(audit.records == 26 && audit.marks == 1 && audit.checkpoints == 3)
    #expect(audit.firstRecord == 0 && audit.lastRecord == 25 && audit.starts == 1)
    var chain = HashChain()
    for entry in entries { chain.append(entry) }
    #expect(audit.chain == chain)
    #expect(audit.positions == 1...Int64(entries.count))
  }

  @Test(arguments: [
    ("DELETE FROM entries WHERE position > 20", "it ends with 20, and 30 were written"),
    ("DELETE FROM entries WHERE position = 30", "it ends with 29, and 30 were written"),
    (
      "INSERT INTO entries(position, kind, sequence, reason, hash) VALUES(31, 'mark', 1, 'poison', 5)",
      "its entry 31 is not what was written"
    ),
    ("DELETE FROM entries WHERE position = 7", "its entry 7 is not what was written"),
    ("UPDATE entries SET now=4 WHERE position = 7", "its entry 7 is not what was written"),
    ("UPDATE meta SET value=4 WHERE key='tailHash'", "its end is not what was written"),
    ("UPDATE meta SET value=4 WHERE key='start'", "its last start is 1, and 4 was written"),
    ("DELETE FROM meta WHERE key='checkpoint'", "its last checkpoint is not entry 0"),
  ])
  func `what somebody changed is noticed, a cut tail too (J-5, J-6)`(
    statement: String, message: String
  ) throws {
    try sample.make(SampleJournal.entries(last: 25))
    try sample.sqlite(statement)
    let found = failure { _ = try SQLiteJournal.verify(path: sample.path) }
    #expect(found?.code == .damaged)
    #expect(found?.message.contains(message) == true, "\(found?.message ?? "nothing")")
  }

  @Test func `a start refuses a journal whose tail was cut off (J-6)`() throws {
    try sample.make(SampleJournal.entries(last: 25))
    try sample.sqlite("DELETE FROM entries WHERE position = 30")
    try sample.open()
    #expect(failure { _ = try sample.load() }?.code == .damaged)
  }

  @Test func `a damaged page is damage, with SQLite's reason`() throws {
    try sample.make(SampleJournal.entries(last: 2_000))
    let file = Glibc.open(sample.path, O_RDWR)
    pwrite(file, [UInt8](repeating: 0xA5, count: 4096), 4096, 3 * 4096)
    Glibc.close(file)
    #expect(failure { _ = try SQLiteJournal.verify(path: sample.path) }?.code == .damaged)
  }

  @Test func `a journal of format 1 is read, and gets an end when it is written`() throws {
    try sample.make(SampleJournal.entries(last: 25))
    try sample.sqlite(
      "DELETE FROM meta WHERE key IN ('tail', 'tailHash', 'cut', 'cutHash')",
      "DROP INDEX checkpoints", "UPDATE meta SET value=1 WHERE key='format'")
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 25)
    try sample.open()
    #expect(try sample.append([SampleJournal.record(26)]) == nil)
    sample.close()
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 26)
    try sample.sqlite("DELETE FROM entries WHERE position > 28")
    #expect(failure { _ = try SQLiteJournal.verify(path: sample.path) }?.code == .damaged)
  }

  @Test func `a journal of format 2 is read, and what knows only that refuses it once written`()
    throws
  {
    try sample.make(SampleJournal.entries(last: 25))
    try sample.sqlite("UPDATE meta SET value=2 WHERE key='format'")
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 25)
    try sample.open()
    sample.close()
    #expect(try JournalStatistics(path: sample.path).format == 3)
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 25)
  }

  @Test func `a file that was there and is gone is lost, not new (J-7)`() throws {
    try sample.make(SampleJournal.entries(last: 3))
    unlink(sample.path)
    let lost = failure { try sample.open() }
    #expect(lost?.code == .missing && lost?.message.contains("is lost") == true)
    // The answer stays the same.
    #expect(failure { try sample.open() }?.code == .missing)
    unlink(sample.path + ".lock")
    try sample.open()
    #expect(try sample.load().entries.isEmpty)
  }

  @Test func `an order that is begun anew on purpose is not lost`() throws {
    try sample.make(SampleJournal.entries(last: 3))
    unlink(sample.path)
    try sample.open(isFresh: true)
    #expect(try sample.load().entries.isEmpty)
  }

  @Test func `a file that is removed under its router stops it (J-7)`() throws {
    try sample.open()
    #expect(try sample.append(SampleJournal.entries(last: 3)) == nil)
    unlink(sample.path)
    #expect(try sample.append([SampleJournal.record(4)])?.code == .missing)
  }

  @Test func `a sync that fails is not durable, and what was durable stays (J-1)`() throws {
    let writer = try ChildProcess("journal-writer", [sample.path, "--fail-sync", "20"])
    #expect(writer.exitCode() == 1)
    #expect(writer.errors.contains("journal-not-written"), "\(writer.errors)")
    let durable = try #require(writer.output.split(separator: "\n").last.flatMap { UInt64($0) })
    let last = try SQLiteJournal.entries(path: sample.path, application: "test").last
    guard case .record(let record)? = last else {
      Issue.record("no record")
      return
    }
    #expect(record.sequence >= durable)
  }

  @Test func `looking at a file makes none`() {
    #expect(failure { _ = try SQLiteJournal.verify(path: sample.path) }?.code == .missing)
    #expect(failure { _ = try JournalStatistics(path: sample.path) }?.code == .missing)
    #expect(access(sample.path, F_OK) != 0)
  }
}
