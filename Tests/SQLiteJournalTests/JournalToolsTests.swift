import Glibc
import Machines
import PenstockCore
import ProcessSupport
import SQLiteJournal
import Testing

@Suite struct JournalToolsTests {
  let sample = SampleJournal()

  private func lines(of path: String) throws -> [Bytes] {
    var lines: [Bytes] = []
    try SQLiteJournal.export(path: path) { lines.append($0) }
    return lines
  }

  private func makeFile(_ path: String, from lines: [Bytes]) throws -> JournalAudit {
    var rest = lines[...]
    return try SQLiteJournal.makeFile(path: path) { rest.popFirst() }
  }

  /// Entries of every kind and origin, with bytes that are no text.
  private func everything() throws -> [JournalEntry] {
    let effect = EffectID(sequence: 3, path: Path("/a/x%2Fy#z")!, index: 2)
    let origins: [Origin] = [
      .client(session: .max, sequence: 1), .send(cause: 1, index: 4),
      .output(effect: effect, index: 1, isFinal: false),
      .output(effect: effect, index: 2, isFinal: true), .end(effect: effect),
      .timer(effect: effect, due: -3), .retry(effect: effect),
    ]
    let payloads: [Bytes] = [
      [], [0, 255, 10, 34], Array("{\"a\": \"ä\\n\u{2028}\"}\n\t\"\\".utf8), [0], [237, 160, 128],
      Array("null".utf8), Array("{\"$start\":{}}".utf8),
    ]
    var entries = try SampleJournal.entries(last: 0)
    for (index, origin) in origins.enumerated() {
      entries.append(
        .record(
          OrderRecord(
            sequence: UInt64(index) + 1, path: Path("/x%2Fy")!, payload: payloads[index], now: -5,
            seed: .max, origin: origin, correlation: .max)))
    }
    return entries + [
      .mark(sequence: 4, reason: .tooLarge), .start(number: 9, now: .min),
      .build(sequence: 6, path: Path("/x")!, build: .max),
      .build(sequence: 6, path: .root, build: 1),
    ]
  }

  @Test func `an export that is imported is the same journal, and exports the same (J-9)`() throws {
    try sample.make(everything())
    let exported = try lines(of: sample.path)
    let copy = sample.directory.file("copy.sqlite")
    let audit = try makeFile(copy, from: exported)
    #expect(audit == (try SQLiteJournal.verify(path: sample.path)))
    #expect(
      try SQLiteJournal.entries(path: copy, application: "test")
        == SQLiteJournal.entries(path: sample.path, application: "test"))
    #expect(try lines(of: copy) == exported)
    #expect(access(copy + "-wal", F_OK) != 0 && access(copy + ".part", F_OK) != 0)
  }

  @Test func `a line is written in one way (J-9)`() throws {
    try sample.make([.start(number: 1, now: 9), .mark(sequence: 4, reason: .poison)])
    let texts = try lines(of: sample.path).map { String(decoding: $0, as: UTF8.self) }
    #expect(
      texts == [
        "{\"v\":1,\"application\":\"test\",\"start\":1,\"builds\":{},\"cut\":0,\"hash\":\"0000000000000000\"}",
        "{\"position\":1,\"kind\":\"start\",\"number\":1,\"now\":9,\"hash\":\"16f1d46f296d1ccd\"}",
        "{\"position\":2,\"kind\":\"mark\",\"sequence\":4,\"reason\":\"poison\","
          + "\"hash\":\"554bee46b48e1577\"}",
        "{\"end\":2,\"hash\":\"554bee46b48e1577\"}",
      ])
  }

  @Test func `a journal that begins later is exported and imported too`() throws {
    try sample.open(retention: Retention(records: 0))
    #expect(try sample.append(SampleJournal.entries(last: 500)) == nil)
    sample.close()
    let copy = sample.directory.file("copy.sqlite")
    let audit = try makeFile(copy, from: lines(of: sample.path))
    #expect(audit.firstRecord == 501 || audit.firstRecord == 491)
    #expect(audit == (try SQLiteJournal.verify(path: sample.path)))
  }

  @Test(arguments: [
    "cut", "missing", "moved", "edited", "longer", "respelled",
  ])
  func `an export that is not whole makes no file (J-9)`(_ damage: String) throws {
    try sample.make(SampleJournal.entries(last: 30))
    var exported = try lines(of: sample.path)
    switch damage {
    case "cut": exported.removeLast()
    case "missing": exported.remove(at: 9)
    case "moved": exported.swapAt(9, 10)
    case "edited":
      exported[9] = Array(
        String(decoding: exported[9], as: UTF8.self).replacing("\"now\":", with: "\"now\":1").utf8)
    case "longer": exported.append(exported[9])
    default: exported[9].append(UInt8(ascii: " "))
    }
    let copy = sample.directory.file("copy.sqlite")
    let found = failure { _ = try makeFile(copy, from: exported) }
    #expect(found?.code == .damaged, "\(found.map(\.message) ?? "nothing")")
    #expect(access(copy, F_OK) != 0 && access(copy + ".part", F_OK) != 0)
  }

  @Test func `a backup is taken while the journal is written, and a router starts on it (J-10)`()
    throws
  {
    try sample.open()
    #expect(try sample.append(SampleJournal.entries(last: 300)) == nil)
    let copy = sample.directory.file("copy.sqlite")
    let audit = try SQLiteJournal.backUp(path: sample.path, to: copy)
    #expect(audit.lastRecord == 300)
    #expect(try sample.append([SampleJournal.record(301)]) == nil)
    #expect(failure { _ = try SQLiteJournal.backUp(path: sample.path, to: copy) }?.code == .exists)
    sample.close()
    // Restored under the name of what was lost.
    for suffix in ["", "-wal", "-shm"] { unlink(sample.path + suffix) }
    #expect(rename(copy, sample.path) == 0)
    try sample.open()
    #expect(try sample.load().entries.last == SampleJournal.record(300))
    #expect(try sample.append([.start(number: 2, now: 10), SampleJournal.record(301)]) == nil)
    sample.close()
    #expect(try SQLiteJournal.verify(path: sample.path).lastRecord == 301)
  }

  @Test func `compacting forgets what is too much and gives the room back`() throws {
    try sample.make(SampleJournal.entries(last: 5_000))
    let before = try JournalStatistics(path: sample.path)
    let audit = try SQLiteJournal.compact(
      path: sample.path, retention: Retention(records: 100))
    let after = try JournalStatistics(path: sample.path)
    #expect(audit.lastRecord == 5_000 && (audit.firstRecord ?? 0) > 4_800)
    #expect(after.fileBytes < before.fileBytes / 10 && after.freeBytes == 0)
    #expect(after.chain == before.chain)
  }

  @Test func `a journal in use is not compacted, a damaged one stays as it is`() throws {
    try sample.open()
    #expect(try sample.append(SampleJournal.entries(last: 30)) == nil)
    let path = sample.path
    #expect(
      failure { _ = try SQLiteJournal.compact(path: path, retention: .everything) }?.code == .taken)
    sample.close()
    try sample.sqlite("UPDATE entries SET now=4 WHERE position = 7")
    #expect(
      failure { _ = try SQLiteJournal.compact(path: path, retention: .everything) }?.code
        == .damaged)
  }

  @Test func `statistics say what is there`() throws {
    try sample.make(SampleJournal.entries(last: 25) + [.mark(sequence: 3, reason: .skipped)])
    let statistics = try JournalStatistics(path: sample.path)
    #expect(statistics.application == "test" && statistics.schema == 0xABCD)
    #expect(statistics.records == 26 && statistics.marks == 1 && statistics.starts == 1)
    #expect(statistics.checkpoints == 3 && statistics.lastCheckpoint == 20)
    #expect(statistics.firstRecord == 0 && statistics.lastRecord == 25)
    #expect(statistics.firstTime == 9 && statistics.lastTime == 25_000)
    #expect(statistics.fileBytes > 0 && statistics.lastPosition == 31)
  }
}
