import Glibc
import Machines
import PenstockCore
import ProcessSupport
import SQLiteJournal
import Testing

/// Files that are no journals, and journals where nothing can be written.
@Suite struct ForeignFileTests {
  let sample = SampleJournal()

  private func bytes(_ path: String) throws -> Bytes {
    let file = Glibc.open(path, O_RDONLY)
    defer { Glibc.close(file) }
    try #require(file >= 0)
    var bytes = Bytes(repeating: 0, count: 1 << 20)
    return Bytes(bytes[..<max(0, read(file, &bytes, bytes.count))])
  }

  @Test(arguments: [
    (["CREATE TABLE users(name)", "INSERT INTO users VALUES('a')"], "tables users"),
    (["CREATE TABLE meta(key TEXT, value)"], "tables meta"),
    (["CREATE TABLE meta(id)", "CREATE TABLE entries(id)"], "tables entries, meta"),
    (
      ["CREATE TABLE a(x)", "CREATE TABLE b(x)", "CREATE TABLE c(x)", "CREATE VIEW d AS SELECT 1"],
      "tables a, b, c and 1 more"
    ),
    (["PRAGMA application_id=77"], "application_id 77, user_version 0"),
    (["PRAGMA user_version=3"], "application_id 0, user_version 3"),
    (["PRAGMA journal_mode=WAL", "CREATE TABLE users(name)"], "tables users"),
  ])
  func `another program's database is no journal, and stays as it is (J-16)`(
    statements: [String], what: String
  ) throws {
    for statement in statements { try sample.sqlite(statement) }
    let before = try bytes(sample.path)
    let path = sample.path
    let attempts: [() throws -> Void] = [
      { try sample.open() }, { try sample.open(isFresh: true) },
      { _ = try SQLiteJournal.compact(path: path, retention: .everything) },
      { _ = try SQLiteJournal.verify(path: path) }, { _ = try JournalStatistics(path: path) },
      { try SQLiteJournal.export(path: path) { _ in } },
      { _ = try SQLiteJournal.backUp(path: path, to: path + ".copy") },
    ]
    for attempt in attempts {
      let found = failure(attempt)
      #expect(found?.code == .otherApplication, "\(found?.message ?? "nothing")")
      #expect(found?.message.contains(what) == true, "\(found?.message ?? "nothing")")
    }
    #expect(try bytes(path) == before)
    for suffix in [".lock", ".old-1", ".copy", ".copy.part", "-wal"] {
      #expect(access(path + suffix, F_OK) != 0, "\(suffix)")
    }
  }

  @Test func `tables that somebody added to a journal don't make it another program's`() throws {
    try sample.make(SampleJournal.entries(last: 3))
    try sample.sqlite("CREATE TABLE notes(text)", "PRAGMA user_version=3")
    try sample.open()
    #expect(try sample.load().entries.last == SampleJournal.record(3))
  }

  @Test func `a copy without the log in which everything still stands says so (J-17)`() throws {
    try sample.sqlite("PRAGMA journal_mode=WAL")
    let found = failure { _ = try SQLiteJournal.verify(path: sample.path) }
    #expect(found?.code == .missing)
    #expect(found?.message.contains("needs its log \(sample.path)-wal too") == true)
  }

  @Test(arguments: ["a?b#c%20d", "ü\u{1B}"])
  func `a file that can't be changed is read, and nothing is made beside it (J-17)`(
    name: String
  ) throws {
    try sample.make(SampleJournal.entries(last: 25))
    let directory = sample.directory.file(name)
    let path = "\(directory)/journal.sqlite"
    mkdir(directory, 0o700)
    #expect(rename(sample.path, path) == 0)
    let before = try bytes(path)
    chmod(path, 0o400)
    chmod(directory, 0o500)
    defer { chmod(directory, 0o700) }
    // Root may write all the same; the permissions of another user stand in Deploy/test-cli.
    #expect(try SQLiteJournal.verify(path: path).lastRecord == 25)
    #expect(try JournalStatistics(path: path).records == 26)
    let copy = sample.directory.file("copy.sqlite")
    #expect(try SQLiteJournal.backUp(path: path, to: copy).lastRecord == 25)
    #expect(try bytes(path) == before)
    for suffix in ["-wal", "-shm"] { #expect(access(path + suffix, F_OK) != 0, "\(suffix)") }
  }
}
