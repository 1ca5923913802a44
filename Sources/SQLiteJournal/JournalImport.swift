import Machines
import PenstockCore

/// Writes a new journal from the lines of an export, and compares every hash on the way.
struct JournalImport {
  let path: String

  /// Entries of a transaction.
  private static let batch = 1_000

  func run(_ next: () throws -> Bytes?) throws {
    var number = 0
    func line() throws -> JournalLine {
      number += 1
      guard let bytes = try next() else {
        throw bad("the export ends before its last line")
      }
      do throws(JSONError) { return try JournalLine(bytes) } catch { throw bad(error.message) }
    }
    func bad(_ why: String) -> JournalError {
      JournalError(.damaged, "line \(number) of the export is not what was exported: \(why)")
    }
    guard case .header(let application, let start, let builds, let cut, let cutHash) = try line()
    else {
      throw bad("it is no first line of a journal")
    }
    let database = try begin(application, cut, cutHash)
    let writer = try JournalWriter(database, path: path, retention: .everything)
    var entries: [JournalEntry] = []
    var position = cut
    var chain = cutHash
    loop: while true {
      switch try line() {
      case .header: throw bad("a second first line")
      case .entry(let entry, let place, let hash):
        position += 1
        chain.append(entry)
        guard place == position, hash == chain else {
          throw bad("it does not follow the one before")
        }
        entries.append(entry)
        if entries.count == Self.batch {
          try writer.write([entries])
          entries = []
        }
      case .end(let last, let hash):
        guard last == position, hash == chain else { throw bad("lines before it are missing") }
        break loop
      }
    }
    if try next() != nil { throw bad("lines follow it") }
    if !entries.isEmpty { try writer.write([entries]) }
    try database.execute("UPDATE meta SET value=\(start) WHERE key='start'")
    for (path, build) in builds {
      try database.execute(
        """
        INSERT OR REPLACE INTO meta
        VALUES('build \(JournalFile.quoted(path.description))', '\(String(build, radix: 16))')
        """)
    }
    // One file, without a log beside it.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func begin(
    _ application: String, _ cut: Int64, _ hash: HashChain
  ) throws(JournalError) -> Database {
    let database = try JournalFile.open(
      path: path, application: application, durability: .processOnly)
    let signed = Int64(bitPattern: hash.value)
    try database.execute(
      """
      UPDATE meta SET value=\(cut) WHERE key IN ('cut', 'tail');
      UPDATE meta SET value=\(signed) WHERE key IN ('cutHash', 'tailHash');
      """)
    return database
  }
}
