import Machines
import PenstockCore

/// Appends to a journal. Lives on the journal's thread.
final class JournalWriter {
  private let database: Database
  private let path: String
  private let file: FileIdentity
  private let insert: Statement
  private let setMeta: Statement
  private let setBuild: Statement
  private let lastStart: Statement
  private let pruner: JournalPruner
  private var origins = OriginText()
  /// The kind of entry whose columns the statement has.
  private var bound = ""
  private var position: Int64
  private var chain: HashChain
  /// The start that this writer announced; a higher one in the file is a newer router's.
  private var start: Int64 = 0

  init(_ database: Database, path: String, retention: Retention) throws(JournalError) {
    self.database = database
    self.path = path
    file = try FileIdentity(path)
    insert = try database.prepare("INSERT INTO entries VALUES(?,?,?,?,?,?,?,?,?,?,?)")
    setMeta = try database.prepare("INSERT OR REPLACE INTO meta VALUES(?,?)")
    setBuild = try database.prepare("INSERT OR REPLACE INTO meta VALUES(?,?)")
    lastStart = try database.prepare("SELECT value FROM meta WHERE key='start'")
    let bounds = try JournalBounds(database)
    position = bounds.tail ?? 0
    chain = bounds.tailHash
    pruner = try JournalPruner(database, path: path, retention: retention)
  }

  /// One transaction; durable when this returns.
  func write(_ entries: [[JournalEntry]]) throws(JournalError) {
    guard file.isAt(path) else {
      throw JournalError(
        .missing,
        """
        the journal \(path) was removed or replaced while the router wrote it; what was not \
        acknowledged is lost, restore the file from a copy
        """)
    }
    try database.transaction { () throws(JournalError) in
      try checkFence()
      for batch in entries {
        for entry in batch { try write(entry) }
      }
      try set("tail", position)
      try set("tailHash", Int64(bitPattern: chain.value))
      try pruner.prune(appended: entries.reduce(0) { $0 + $1.count })
    }
  }

  private func checkFence() throws(JournalError) {
    let last = try lastStart.first() ?? 0
    guard last <= start || start == 0 else { throw fenced(by: last) }
  }

  private func fenced(by other: Int64) -> JournalError {
    JournalError(
      .fenced, "a newer router (start \(other)) took over the journal \(path); this one stops")
  }

  private func set(_ key: String, _ value: Int64) throws(JournalError) {
    try setMeta.bind(1, key)
    try setMeta.bind(2, value)
    try setMeta.run()
  }

  private func write(_ entry: JournalEntry) throws(JournalError) {
    position += 1
    chain.append(entry)
    try insert.bind(1, position)
    try insert.bind(11, Int64(bitPattern: chain.value))
    switch entry {
    case .start(let number, let now):
      let last = try lastStart.first() ?? 0
      guard Int64(number) > last else { throw fenced(by: last) }
      start = Int64(number)
      try set("start", start)
      try bind("start", UInt64(number), now: now)
      try insert.run()
      pruner.wrote(now: now)
    case .record(let record):
      try bind("record", record.sequence, now: record.now)
      try insert.bind(4, record.path.description)
      try insert.bind(8, Int64(bitPattern: record.seed))
      try insert.bind(9, Int64(bitPattern: record.correlation))
      origins.write(record.origin)
      try run(record.payload, isText: true, origin: origins.text)
      pruner.wrote(now: record.now, record: record.sequence)
    case .mark(let sequence, let reason):
      try bind("mark", sequence, now: nil)
      try insert.bind(10, reason.word)
      try insert.run()
    case .checkpoint(let sequence, let body):
      try set("checkpoint", position)
      try bind("checkpoint", sequence, now: nil)
      try run(body, isText: false)
      pruner.wroteCheckpoint()
    case .build(let sequence, let path, let build):
      try setBuild.bind(1, "build \(path)")
      try setBuild.bind(2, String(build, radix: 16))
      try setBuild.run()
      try bind("build", sequence, now: nil)
      try insert.bind(4, path.description)
      try insert.bind(10, String(build, radix: 16))
      try insert.run()
    }
  }

  /// Binds what every kind has. What is bound stays: only another kind has to clear the rest.
  private func bind(_ kind: String, _ sequence: UInt64, now: Int64?) throws(JournalError) {
    try insert.bind(3, Int64(bitPattern: sequence))
    try insert.bind(7, now)
    guard kind != bound else { return }
    bound = kind
    try insert.bind(2, kind)
    for column: Int32 in [4, 5, 6, 8, 9, 10] { try insert.bind(column, Int64?.none) }
  }

  private func run(
    _ payload: Bytes, isText: Bool, origin: Bytes? = nil
  ) throws(JournalError) {
    var failure: JournalError?
    payload.withUnsafeBytes { bytes in
      (origin ?? []).withUnsafeBytes { word in
        do throws(JournalError) {
          try insert.bind(5, bytes, isText: isText)
          if origin != nil { try insert.bind(6, word, isText: true) }
          try insert.run()
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}
