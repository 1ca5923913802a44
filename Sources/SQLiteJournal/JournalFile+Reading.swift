import Glibc
import Machines
import PenstockCore

extension JournalFile {
  /// Whether there is a file with something in it.
  static func exists(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_size > 0
  }

  /// Opens a file that is there, to read it; a router may be writing it.
  static func openToRead(path: String, application: String = "") throws(JournalError) -> Database {
    guard exists(path) else {
      throw JournalError(.missing, "there is no journal \(path)")
    }
    let real = resolved(path)
    let isFixed = !isWritable(real)
    let hasLog = exists("\(real)-wal")
    // SQLite would make a log to read it, and can't, or leaves it behind.
    let database = try Database(path: path, isFixed && !hasLog ? .frozen : .write)
    let holding: JournalHolding
    do throws(JournalError) {
      // Everything is read as of one moment.
      try database.execute("BEGIN")
      holding = try JournalHolding(database)
    } catch {
      guard isFixed, hasLog, error.code == .failed else { throw error }
      throw JournalError(
        .failed,
        """
        the journal \(path) has a log, \(path)-wal, and SQLite can't read both where nothing can be \
        written beside them; copy both to a directory of yours
        """)
    }
    if let other = holding.foreign(path) { throw other }
    guard holding == .journal else {
      throw JournalError(
        .missing,
        """
        \(path) is no journal: it has no tables of one; if it was copied from one, the copy needs \
        its log \(path)-wal too: `penstock journal backup` copies both as one file
        """)
    }
    try checkIdentity(of: database, path: path, application: application)
    return database
  }

  /// Another program's database is neither moved aside nor given a lock.
  static func refuseForeign(_ path: String) throws(JournalError) {
    // Without its log, so that it stays as it is. What can't be read, opening it reports.
    guard exists(path), let database = try? Database(path: path, .frozen),
      let holding = try? JournalHolding(database), let other = holding.foreign(path)
    else { return }
    throw other
  }

  /// SQLite has the log beside the file, not beside a link to it.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether the file can be changed, and others made beside it.
  private static func isWritable(_ path: String) -> Bool {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { path[...$0] } ?? "."
    return access(path, W_OK) == 0 && access(String(directory), W_OK) == 0
  }

  /// Reads the last checkpoint and everything that it does not cover, or everything that is kept.
  static func read(
    _ database: Database, path: String, fromStart: Bool = false
  ) throws(JournalError) -> JournalContents {
    let start = try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0
    let checkpoint = try database.integer("SELECT value FROM meta WHERE key='checkpoint'")
    var first: Int64?
    if !fromStart, let checkpoint { first = try beginning(database, path: path, at: checkpoint) }
    let walk = try JournalWalk(database, path: path, from: first)
    var entries: [JournalEntry] = []
    while let (_, entry) = try walk.next() { entries.append(entry) }
    return JournalContents(
      lastStart: UInt32(clamping: start), entries: entries, chain: walk.chain,
      builds: try builds(database))
  }

  /// The builds that `meta` remembers: their entries may be forgotten.
  static func builds(_ database: Database) throws(JournalError) -> [Path: UInt64] {
    let rows = try database.prepare("SELECT key, value FROM meta WHERE key LIKE 'build %'")
    var builds: [Path: UInt64] = [:]
    while try rows.step() {
      guard let path = Path(String(rows.text(0)?.dropFirst(6) ?? "")),
        let build = UInt64(rows.text(1) ?? "", radix: 16)
      else { continue }
      builds[path] = build
    }
    return builds
  }

  /// The position from which a start at this checkpoint must read: records above its sequence may
  /// stand before it.
  static func beginning(
    _ database: Database, path: String, at checkpoint: Int64
  ) throws(JournalError) -> Int64 {
    guard
      let covered = try database.integer(
        "SELECT sequence FROM entries WHERE position=\(checkpoint) AND kind='checkpoint'")
    else { throw JournalWalk.damaged(path, at: checkpoint) }
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
}
