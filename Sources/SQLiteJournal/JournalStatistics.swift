import Glibc
package import Machines

/// What a journal holds, counted without reading its payloads.
package struct JournalStatistics: Hashable, Sendable {
  package var application = ""
  package var format: Int64 = 0
  package var starts: Int64 = 0
  package var records: Int64 = 0
  package var marks: Int64 = 0
  package var checkpoints: Int64 = 0
  package var builds: Int64 = 0
  package var firstRecord: UInt64?
  package var lastRecord: UInt64?
  /// Order times of the first and the last entry that has one.
  package var firstTime: Int64?
  package var lastTime: Int64?
  /// The number of the last start, also where its entry is forgotten.
  package var lastStart: Int64 = 0
  package var lastCheckpoint: UInt64?
  package var checkpointBytes: Int64 = 0
  /// Of the last checkpoint.
  package var schema: UInt64?
  /// The file, and what of it is free for new entries.
  package var fileBytes: Int64 = 0
  package var freeBytes: Int64 = 0
  /// The file's write-ahead log.
  package var logBytes: Int64 = 0
  /// Entries that are forgotten.
  package var forgotten: Int64 = 0
  package var lastPosition: Int64 = 0
  package var chain = HashChain()

  package init(path: String) throws(JournalError) {
    let database = try JournalFile.openToRead(path: path)
    let bounds = try JournalBounds(database)
    application = try database.text("SELECT value FROM meta WHERE key='application'") ?? ""
    format = try database.integer("SELECT value FROM meta WHERE key='format'") ?? 0
    lastStart = try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0
    forgotten = bounds.cut
    lastPosition = bounds.tail ?? 0
    chain = bounds.tailHash
    try count(database)
    if checkpoints > 0 { try readCheckpoints(database) }
    firstTime = try time(database, "ASC")
    lastTime = try time(database, "DESC")
    let size = try database.integer("PRAGMA page_size") ?? 0
    freeBytes = (try database.integer("PRAGMA freelist_count") ?? 0) * size
    fileBytes = Self.size(path)
    logBytes = Self.size(path + "-wal")
  }

  private mutating func count(_ database: Database) throws(JournalError) {
    let rows = try database.prepare(
      "SELECT kind, count(*), min(sequence), max(sequence) FROM entries GROUP BY kind")
    while try rows.step() {
      let count = rows.integer(1)
      switch rows.text(0) {
      case "start": starts = count
      case "record":
        records = count
        firstRecord = rows.unsigned(2)
        lastRecord = rows.unsigned(3)
      case "mark": marks = count
      case "build": builds = count
      case "checkpoint":
        checkpoints = count
        lastCheckpoint = rows.unsigned(3)
      default: throw JournalError(.damaged, "an entry has the unknown kind \(rows.text(0) ?? "")")
      }
    }
  }

  private mutating func readCheckpoints(_ database: Database) throws(JournalError) {
    checkpointBytes =
      try database.integer("SELECT sum(length(payload)) FROM entries WHERE kind='checkpoint'") ?? 0
    let last = try database.prepare(
      """
      SELECT substr(payload, 2, 8) FROM entries WHERE kind='checkpoint'
      ORDER BY position DESC LIMIT 1
      """)
    guard try last.step() else { return }
    // Behind the version, lowest byte first.
    schema = last.bytes(0).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func time(_ database: Database, _ direction: String) throws(JournalError) -> Int64? {
    try database.integer(
      "SELECT now FROM entries WHERE now IS NOT NULL ORDER BY position \(direction) LIMIT 1")
  }

  private static func size(_ path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : 0
  }
}
