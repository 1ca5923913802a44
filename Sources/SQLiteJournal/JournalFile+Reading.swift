import Glibc
import Machines
import PenstockCore

extension JournalFile {
  /// Whether there is a file with something in it.
  static func exists(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_size > 0
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
