import Machines
import PenstockCore
import Platform
import ProcessSupport
import SQLiteJournal
import Testing

/// A journal of the tests in a directory of its own.
final class SampleJournal {
  let directory = TemporaryDirectory()
  var path: String { directory.file("journal.sqlite") }
  private var journal: SQLiteJournal?
  private let reports = Inbox<JournalReport>()
  private var ticket: UInt64 = 0

  static func record(_ sequence: UInt64, payload: Bytes = Array("{\"add\":1}".utf8)) -> JournalEntry
  {
    .record(
      OrderRecord(
        sequence: sequence, path: Path("/a/b")!, payload: payload, now: Int64(sequence) * 1_000,
        seed: .max, origin: sequence == 0 ? .initial : .client(session: 7, sequence: sequence),
        correlation: sequence))
  }

  static func checkpoint(_ sequence: UInt64) throws -> JournalEntry {
    let checkpoint = Checkpoint(
      schemaHash: 0xABCD, part: RouterPart(sequence: sequence, now: 5), state: Array("{}".utf8),
      sessions: [:],
      quarantine: Quarantine())
    return .checkpoint(sequence: sequence, body: try checkpoint.encode())
  }

  /// A start, record 0 with its checkpoint, and records up to `last` with a checkpoint after each
  /// `interval` of them; two records above a checkpoint stand before it, as when a router runs ahead.
  static func entries(last: UInt64, interval: UInt64 = 10) throws -> [JournalEntry] {
    var entries = [JournalEntry.start(number: 1, now: 9), record(0), try checkpoint(0)]
    if last == 0 { return entries }
    for sequence in 1...last {
      entries.append(record(sequence))
      if sequence > 2, sequence % interval == 2 { entries.append(try checkpoint(sequence - 2)) }
    }
    return entries
  }

  func open(
    retention: Retention = .everything, application: String = "test", isFresh: Bool = false
  ) throws {
    close()
    journal = try SQLiteJournal(
      path: path, application: application, durability: .processOnly, isFresh: isFresh,
      retention: retention, reports: reports)
  }

  func load() throws -> JournalContents { try #require(journal).load() }

  /// Blocks until they are durable.
  /// - Returns: the failure, if it failed.
  @discardableResult
  func append(_ entries: [JournalEntry]) throws -> JournalError? {
    ticket += 1
    try #require(journal).append(entries, ticket: ticket)
    while true {
      for report in reports.wait() {
        switch report {
        case .durable(ticket): return nil
        case .durable: continue
        case .failed(let error): return error
        }
      }
    }
  }

  func close() {
    journal?.close()
    journal = nil
  }

  /// Makes the file with these entries, and closes it.
  func make(_ entries: [JournalEntry]) throws {
    try open()
    try append(entries)
    close()
  }

  /// Changes the file with SQLite itself, as a disk or a person might.
  func sqlite(_ statements: String...) throws {
    let script = """
      import sqlite3,sys
      c=sqlite3.connect(sys.argv[1])
      for s in sys.argv[2:]: c.execute(s)
      c.commit()
      """
    let tool = try ChildProcess("/usr/bin/env", ["python3", "-c", script, path] + statements)
    #expect(tool.exitCode() == 0, "\(tool.errors)")
  }
}

/// The code and the message of what a journal throws.
func failure(_ body: () throws -> Void) -> JournalError? {
  do {
    try body()
    return nil
  } catch {
    return error as? JournalError
  }
}
