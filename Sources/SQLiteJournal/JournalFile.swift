import Machines
import PenstockCore

/// The tables of a journal, and how they are made and read.
///
/// `entries` has a row for each entry: `kind` is `start` (its number in `sequence`), `record`, `mark`
/// (why in `reason`) or `checkpoint` (its body in `payload`). `hash` chains the rows. `meta` holds
/// `format`, `application`, `start` (the last start's number) and `checkpoint` (the last one's
/// position).
enum JournalFile {
  static let format: Int64 = 1

  private static let schema = """
    CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS entries(
      position INTEGER PRIMARY KEY, kind TEXT NOT NULL, sequence INTEGER NOT NULL, path TEXT,
      payload, origin TEXT, now INTEGER, seed INTEGER, correlation INTEGER, reason TEXT,
      hash INTEGER NOT NULL);
    """

  /// Opens the file and makes its tables when they are missing.
  static func open(
    path: String, application: String, durability: Durability
  ) throws(JournalError) -> Database {
    let database = try Database(path: path)
    try database.execute("PRAGMA journal_mode=WAL")
    try database.execute("PRAGMA synchronous=\(durability.synchronous)")
    try database.execute("PRAGMA wal_autocheckpoint=8000")
    let isNew =
      try database.integer("SELECT count(*) FROM sqlite_master WHERE name='meta'") == 0
    if isNew {
      try database.execute("BEGIN IMMEDIATE")
      try database.execute(schema)
      try database.execute(
        """
        INSERT OR IGNORE INTO meta VALUES('format', \(format)), ('start', 0);
        INSERT OR IGNORE INTO meta VALUES('application', '\(quoted(application))');
        """)
      try database.execute("COMMIT")
    }
    try checkIdentity(of: database, path: path, application: application)
    return database
  }

  private static func checkIdentity(
    of database: Database, path: String, application: String
  ) throws(JournalError) {
    let found = try database.integer("SELECT value FROM meta WHERE key='format'") ?? 0
    guard found <= format else {
      throw JournalError(
        .incompatible,
        """
        the journal \(path) has format \(found), and this version reads up to \(format); use the \
        version that wrote it, or a newer one
        """)
    }
    let owner = try database.text("SELECT value FROM meta WHERE key='application'") ?? ""
    if owner.isEmpty || application.isEmpty { return }
    guard owner == application else {
      throw JournalError(
        .incompatible,
        """
        the journal \(path) belongs to the application "\(owner)", not to "\(application)"; name \
        another file with --journal
        """)
    }
  }

  /// Reads the last checkpoint and everything that it does not cover, or everything from the start, and
  /// compares the hashes.
  static func read(
    _ database: Database, path: String, fromStart: Bool = false
  ) throws(JournalError) -> JournalContents {
    let start = try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0
    let first = fromStart ? 1 : try beginning(database, path: path)
    var chain = HashChain()
    if first > 1 {
      let before = try database.integer("SELECT hash FROM entries WHERE position=\(first - 1)")
      chain = HashChain(UInt64(bitPattern: before ?? 0))
    }
    let rows = try database.prepare(
      """
      SELECT position, kind, sequence, path, payload, origin, now, seed, correlation, reason, hash
      FROM entries WHERE position >= \(first) ORDER BY position
      """)
    var entries: [JournalEntry] = []
    var expected = first
    while try rows.step() {
      let position = rows.integer(0)
      guard position == expected, let entry = entry(in: rows) else {
        throw damaged(path, at: expected)
      }
      chain.append(entry)
      guard chain.value == rows.unsigned(10) else { throw damaged(path, at: position) }
      entries.append(entry)
      expected += 1
    }
    return JournalContents(
      lastStart: UInt32(clamping: start), entries: entries, chain: chain)
  }

  /// The position from which a start must read: records above a checkpoint's sequence may stand before
  /// it.
  private static func beginning(
    _ database: Database, path: String
  ) throws(JournalError) -> Int64 {
    guard
      let checkpoint = try database.integer("SELECT value FROM meta WHERE key='checkpoint'")
    else { return 1 }
    guard
      let covered = try database.integer(
        "SELECT sequence FROM entries WHERE position=\(checkpoint) AND kind='checkpoint'")
    else { throw damaged(path, at: checkpoint) }
    let rows = try database.prepare(
      """
      SELECT position, kind, sequence FROM entries WHERE position < \(checkpoint)
      ORDER BY position DESC
      """)
    var first = checkpoint
    while try rows.step() {
      if rows.text(1) == "record", rows.integer(2) <= covered { break }
      first = rows.integer(0)
    }
    return first
  }

  private static func damaged(_ path: String, at position: Int64) -> JournalError {
    JournalError(
      .damaged,
      """
      the journal \(path) is damaged: its entry \(position) is not what was written; restore the \
      file from a copy
      """)
  }

  private static func entry(in row: Statement) -> JournalEntry? {
    let sequence = row.unsigned(2)
    switch row.text(1) {
    case "start":
      return .start(number: UInt32(clamping: sequence), now: row.integer(6))
    case "record":
      guard let path = row.text(3).flatMap({ Path($0) }),
        let origin = row.text(5).flatMap({ Origin(column: $0) })
      else { return nil }
      return .record(
        OrderRecord(
          sequence: sequence, path: path, payload: row.bytes(4), now: row.integer(6),
          seed: row.unsigned(7), origin: origin, correlation: row.unsigned(8)))
    case "mark":
      return row.text(9).flatMap { VoidReason(column: $0) }.map {
        .mark(sequence: sequence, reason: $0)
      }
    case "checkpoint": return .checkpoint(sequence: sequence, body: row.bytes(4))
    default: return nil
    }
  }

  private static func quoted(_ text: String) -> String { text.replacing("'", with: "''") }
}
