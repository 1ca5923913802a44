import Machines

/// The tables of a journal, and how they are made.
///
/// `entries` has a row for each entry: `kind` is `start` (its number in `sequence`), `record`, `mark`
/// (why in `reason`), `checkpoint` (its body in `payload`) or `build` (whose of which scope). `hash`
/// chains the rows. `meta` holds `format`, `application`, `start` (the last start's number),
/// `checkpoint` (the last one's position), `tail` and `tailHash` (the last entry), `cut` and `cutHash`
/// (the last one forgotten).
enum JournalFile {
  /// 2 has `tail`, `cut` and the index; 3 may have records of the origin `retry`, entries `build` and
  /// checkpoints of version 3 or 4. An older journal becomes one of this format when it is opened to be
  /// written.
  static let format: Int64 = 3

  private static let schema = """
    CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS entries(
      position INTEGER PRIMARY KEY, kind TEXT NOT NULL, sequence INTEGER NOT NULL, path TEXT,
      payload, origin TEXT, now INTEGER, seed INTEGER, correlation INTEGER, reason TEXT,
      hash INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS checkpoints ON entries(position) WHERE kind='checkpoint';
    """

  /// Opens the file to write it, and makes its tables when they are missing.
  static func open(
    path: String, application: String, durability: Durability
  ) throws(JournalError) -> Database {
    let database = try Database(path: path, .make)
    let holding = try JournalHolding(database)
    // Before anything is changed.
    if let other = holding.foreign(path) { throw other }
    try database.execute("PRAGMA journal_mode=WAL")
    try database.execute("PRAGMA synchronous=\(durability.synchronous)")
    try database.execute("PRAGMA wal_autocheckpoint=8000")
    if holding == .nothing {
      try database.transaction { () throws(JournalError) in
        try database.execute(schema)
        try database.execute(
          """
          INSERT OR IGNORE INTO meta VALUES
            ('format', \(format)), ('start', 0), ('tail', 0), ('tailHash', 0), ('cut', 0),
            ('cutHash', 0), ('application', '\(quoted(application))');
          """)
      }
    }
    try checkIdentity(of: database, path: path, application: application)
    try upgrade(database)
    return database
  }

  static func checkIdentity(
    of database: Database, path: String, application: String
  ) throws(JournalError) {
    let found = try database.integer("SELECT value FROM meta WHERE key='format'") ?? 0
    guard found <= format else {
      throw JournalError(
        .newer,
        """
        the journal \(path) has format \(found), and this version reads up to \(format); use the \
        version that wrote it, or a newer one
        """)
    }
    let owner = try database.text("SELECT value FROM meta WHERE key='application'") ?? ""
    if owner.isEmpty || application.isEmpty { return }
    guard owner == application else {
      throw JournalError(
        .otherApplication,
        """
        the journal \(path) belongs to the application "\(owner)", not to "\(application)"; name \
        another file with --journal
        """)
    }
  }

  private static func upgrade(_ database: Database) throws(JournalError) {
    let found = try database.integer("SELECT value FROM meta WHERE key='format'") ?? 0
    guard found < format else { return }
    try database.transaction { () throws(JournalError) in
      if found > 1 {
        return try database.execute("UPDATE meta SET value=\(format) WHERE key='format'")
      }
      try database.execute(schema)
      try database.execute(
        """
        INSERT OR REPLACE INTO meta VALUES
          ('tail', (SELECT ifnull(max(position), 0) FROM entries)),
          ('tailHash', ifnull((SELECT hash FROM entries ORDER BY position DESC LIMIT 1), 0)),
          ('cut', 0), ('cutHash', 0), ('format', \(format));
        """)
    }
  }

  static func quoted(_ text: String) -> String { text.replacing("'", with: "''") }
}
