import Machines
import PenstockCore

/// Appends to a journal. Lives on the journal's thread.
final class JournalWriter {
  private let database: Database
  private let path: String
  private let insert: Statement
  private var position: Int64
  private var chain: HashChain
  /// The start that this writer announced; a higher one in the file is a newer router's.
  private var start: Int64 = 0

  init(_ database: Database, path: String) throws(JournalError) {
    self.database = database
    self.path = path
    insert = try database.prepare("INSERT INTO entries VALUES(?,?,?,?,?,?,?,?,?,?,?)")
    position = try database.integer("SELECT max(position) FROM entries") ?? 0
    let hash = try database.integer("SELECT hash FROM entries WHERE position=\(position)")
    chain = HashChain(UInt64(bitPattern: hash ?? 0))
  }

  /// One transaction; durable when this returns.
  func write(_ entries: [[JournalEntry]]) throws(JournalError) {
    try database.execute("BEGIN IMMEDIATE")
    do throws(JournalError) {
      try checkFence()
      for batch in entries {
        for entry in batch { try write(entry) }
      }
      try database.execute("COMMIT")
    } catch {
      // What failed may have rolled back already.
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  private func checkFence() throws(JournalError) {
    let last = try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0
    guard last <= start || start == 0 else { throw fenced(by: last) }
  }

  private func fenced(by other: Int64) -> JournalError {
    JournalError(
      .taken, "a newer router (start \(other)) took over the journal \(path); this one stops")
  }

  private func write(_ entry: JournalEntry) throws(JournalError) {
    position += 1
    chain.append(entry)
    try insert.bind(1, position)
    try insert.bind(11, Int64(bitPattern: chain.value))
    switch entry {
    case .start(let number, let now):
      let last = try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0
      guard Int64(number) > last else { throw fenced(by: last) }
      start = Int64(number)
      try database.execute("UPDATE meta SET value=\(number) WHERE key='start'")
      try bind("start", UInt64(number), now: now)
      try insert.run()
    case .record(let record):
      try bind("record", record.sequence, now: record.now)
      try insert.bind(4, record.path.description)
      try insert.bind(6, record.origin.column)
      try insert.bind(8, Int64(bitPattern: record.seed))
      try insert.bind(9, Int64(bitPattern: record.correlation))
      try run(record.payload, isText: true)
    case .mark(let sequence, let reason):
      try bind("mark", sequence, now: nil)
      try insert.bind(10, reason.word)
      try insert.run()
    case .checkpoint(let sequence, let body):
      try database.execute("INSERT OR REPLACE INTO meta VALUES('checkpoint', \(position))")
      try bind("checkpoint", sequence, now: nil)
      try run(body, isText: false)
    }
  }

  /// Binds what every kind has, and clears the rest.
  private func bind(_ kind: String, _ sequence: UInt64, now: Int64?) throws(JournalError) {
    try insert.bind(2, kind)
    try insert.bind(3, Int64(bitPattern: sequence))
    for column: Int32 in [4, 5, 6, 8, 9, 10] { try insert.bind(column, Int64?.none) }
    try insert.bind(7, now)
  }

  private func run(_ payload: Bytes, isText: Bool) throws(JournalError) {
    var failure: JournalError?
    payload.withUnsafeBytes { bytes in
      do throws(JournalError) {
        try insert.bind(5, bytes, isText: isText)
        try insert.run()
      } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
