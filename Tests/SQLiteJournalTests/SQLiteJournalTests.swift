import Glibc
import Machines
import PenstockCore
import Platform
import ProcessSupport
import SQLiteJournal
import Testing

@Suite struct SQLiteJournalTests {
  let directory = TemporaryDirectory()
  let reports = Inbox<JournalReport>()
  var path: String { directory.file("journal.sqlite") }

  func record(
    _ sequence: UInt64, _ origin: Origin = .client(session: 7, sequence: 1),
    at path: Path = Path("/a/b")!
  ) -> JournalEntry {
    .record(
      OrderRecord(
        sequence: sequence, path: path, payload: Array("{\"add\":1}".utf8), now: 5,
        seed: .max, origin: origin, correlation: sequence))
  }

  func open(pageLimit: Int? = nil, application: String = "test") throws -> SQLiteJournal {
    try SQLiteJournal(
      path: path, application: application, durability: .processOnly, reports: reports,
      pageLimit: pageLimit)
  }

  /// Blocks until the ticket is durable, or the journal failed.
  func report(for ticket: UInt64) -> JournalReport {
    while true {
      for report in reports.wait() {
        switch report {
        case .durable(let durable) where durable < ticket: continue
        case .durable, .failed: return report
        }
      }
    }
  }

  @Test(arguments: ["x/y#z", "a\0b", "\0", "a\nb\u{1b}[31mü\u{1F600}", "\u{FFFD}"])
  func `what is reported durable is there after the next start (J-1)`(id: String) throws {
    let path = Path("/a")!.appending(id)
    let effect = EffectID(sequence: 3, path: path, index: 2)
    let entries: [JournalEntry] = [
      .start(number: 1, now: 9), record(0, .initial), record(1, at: path),
      record(2, .send(cause: 1, index: 4)),
      record(3, .output(effect: effect, index: 1, isFinal: false)),
      record(4, .output(effect: effect, index: 2, isFinal: true)),
      record(5, .end(effect: effect)), record(6, .timer(effect: effect, due: -3)),
      record(7, .retry(effect: effect)),
      .mark(sequence: 4, reason: .poison),
    ]
    let journal = try open()
    #expect(
      try journal.load() == JournalContents(lastStart: 0, entries: [], chain: HashChain()))
    journal.append(entries, ticket: 1)
    #expect(report(for: 1) == .durable(ticket: 1))
    journal.close()
    #expect(try SQLiteJournal.entries(path: self.path, application: "test") == entries)
    #expect(try journal.load().lastStart == 1)
  }

  @Test func `loading begins behind what the last checkpoint covers`() throws {
    do {
      let journal = try open()
      journal.append([.start(number: 1, now: 9), record(1)], ticket: 1)
      journal.append(
        [record(2), .checkpoint(sequence: 1, body: [0, 1, 255]), record(3)], ticket: 2)
      #expect(report(for: 2) == .durable(ticket: 2))
      journal.close()
    }
    let journal = try open()
    let contents = try journal.load()
    #expect(
      contents.entries == [record(2), .checkpoint(sequence: 1, body: [0, 1, 255]), record(3)])
    #expect(contents.lastStart == 1)
    journal.append([.start(number: 2, now: 10), record(4)], ticket: 3)
    #expect(report(for: 3) == .durable(ticket: 3))
    journal.close()
  }

  @Test func `a second router on the same journal is told who has it`() throws {
    let journal = try open()
    #expect {
      _ = try open()
    } throws: {
      "\($0)"
        == "a router on the journal \(path) is running already, as process \(getpid())"
        + " (it holds \(path).lock)"
    }
    journal.close()
  }

  @Test func `a writer stops when a newer start took over (J-2)`() throws {
    let old = try open()
    old.append([.start(number: 1, now: 0)], ticket: 1)
    #expect(report(for: 1) == .durable(ticket: 1))
    // Where locks don't work: the lock file is another one.
    unlink(path + ".lock")
    let new = try open()
    #expect(try new.load().lastStart == 1)
    new.append([.start(number: 2, now: 0)], ticket: 1)
    #expect(report(for: 1) == .durable(ticket: 1))
    old.append([record(1)], ticket: 2)
    #expect(
      report(for: 2)
        == .failed(
          JournalError(
            .fenced, "a newer router (start 2) took over the journal \(path); this one stops")))
    old.close()
    new.close()
    #expect(try SQLiteJournal.entries(path: path, application: "test").count == 2)
  }

  @Test func `a changed byte is noticed before anything is applied (J-5)`() throws {
    do {
      let journal = try open()
      journal.append([.start(number: 1, now: 0), record(1), record(2), record(3)], ticket: 1)
      #expect(report(for: 1) == .durable(ticket: 1))
      journal.close()
    }
    try sqlite("UPDATE entries SET payload='{\"add\":2}' WHERE position=3")
    let journal = try open()
    #expect {
      try journal.load()
    } throws: {
      ($0 as? JournalError)?.code == .damaged && "\($0)".contains("its entry 3 is not what was")
    }
    journal.close()
  }

  @Test func `a missing row is noticed (J-5)`() throws {
    do {
      let journal = try open()
      journal.append([.start(number: 1, now: 0), record(1), record(2), record(3)], ticket: 1)
      #expect(report(for: 1) == .durable(ticket: 1))
      journal.close()
    }
    try sqlite("DELETE FROM entries WHERE position=2")
    let journal = try open()
    #expect(throws: JournalError.self) { try journal.load() }
    journal.close()
  }

  @Test func `a journal without the checkpoint that it names is damaged, not empty`() throws {
    let journal = try open()
    journal.append([.start(number: 1, now: 0), .checkpoint(sequence: 0, body: [1])], ticket: 1)
    #expect(report(for: 1) == .durable(ticket: 1))
    journal.close()
    try sqlite("DELETE FROM entries")
    #expect {
      try journal.load()
    } throws: {
      ($0 as? JournalError)?.code == .damaged
    }
  }

  @Test func `a newer format and another application are refused`() throws {
    try open().close()
    #expect {
      try open(application: "other")
    } throws: {
      ($0 as? JournalError)?.code == .otherApplication
        && "\($0)".contains("belongs to the application \"test\", not to \"other\"")
    }
    try sqlite("UPDATE meta SET value=4 WHERE key='format'")
    #expect {
      try open()
    } throws: {
      ($0 as? JournalError)?.code == .newer
        && "\($0)".contains("has format 4, and this version reads up to 3")
    }
  }

  @Test func `a full disk is a failure with a sentence, and nothing half is left`() throws {
    let journal = try open(pageLimit: 8)
    journal.append([.start(number: 1, now: 0), record(1)], ticket: 1)
    #expect(report(for: 1) == .durable(ticket: 1))
    journal.append((2...2000).map { record($0) }, ticket: 2)
    guard case .failed(let error) = report(for: 2) else {
      Issue.record("reported durable")
      return
    }
    #expect(error.code == .full && error.message.contains("can't grow, its disk is full"))
    journal.close()
    #expect(try SQLiteJournal.entries(path: path, application: "test").count == 2)
  }

  @Test func `whatever kills the writer, what it called durable is there (J-1)`() throws {
    for _ in 0..<3 {
      let writer = try ChildProcess("journal-writer", [path])
      #expect(eventually { writer.output.split(separator: "\n").count > 3 })
      writer.signal(SIGKILL)
      #expect(writer.exitCode() == 128 + SIGKILL)
      let lines = writer.output.split(separator: "\n")
      let durable = try #require(lines.last.flatMap { UInt64($0) })
      let entries = try SQLiteJournal.entries(path: path, application: "test")
      #expect(entries.lastOfPresentStart >= durable)
    }
  }

  /// Changes the file with SQLite itself, as a disk or a person might.
  private func sqlite(_ statement: String) throws {
    let tool = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "-c",
        "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
        path, statement,
      ])
    #expect(tool.exitCode() == 0, "\(tool.errors)")
  }
}

extension [JournalEntry] {
  /// The highest sequence of the present start's records.
  fileprivate var lastOfPresentStart: UInt64 {
    var last: UInt64 = 0
    for entry in self {
      switch entry {
      case .start: last = 0
      case .record(let record): last = record.sequence
      case .mark, .checkpoint, .build: continue
      }
    }
    return last
  }
}
