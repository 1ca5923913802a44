import Glibc
package import Machines
package import PenstockCore
import Platform

/// What is done with a journal besides running a router on it.
extension SQLiteJournal {
  /// Looks at every entry that is kept, and at what `meta` says of them. A router may be writing.
  package static func verify(path: String) throws(JournalError) -> JournalAudit {
    let database = try JournalFile.openToRead(path: path)
    let pages = try database.text("PRAGMA quick_check(1)") ?? "ok"
    guard pages == "ok" else { throw JournalWalk.damaged(path, "SQLite finds: \(pages)") }
    var audit = JournalAudit()
    let walk = try JournalWalk(database, path: path)
    while let (position, entry) = try walk.next() {
      if let fault = audit.take(entry, at: position) {
        throw JournalWalk.damaged(path, "its entry \(position) \(fault)")
      }
    }
    audit.chain = walk.chain
    if let gap = audit.gap { throw JournalWalk.damaged(path, gap) }
    let start = try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0
    if let last = audit.lastStart, Int64(last) != start {
      throw JournalWalk.damaged(path, "its last start is \(last), and \(start) was written")
    }
    let checkpoint = try database.integer("SELECT value FROM meta WHERE key='checkpoint'")
    guard audit.lastCheckpoint == checkpoint else {
      throw JournalWalk.damaged(
        path, "its last checkpoint is not entry \(checkpoint.map { "\($0)" } ?? "0")")
    }
    let builds = try JournalFile.builds(database)
    for (scope, build) in audit.builds where builds[scope] != build {
      throw JournalWalk.damaged(
        path, "its last build of \(scope) is \(String(build, radix: 16)), and another was written")
    }
    return audit
  }

  /// Gives every entry that is kept, one after the other; what is damaged throws where it stands.
  package static func read(
    path: String, application: String, _ take: (JournalEntry) throws -> Void
  ) throws {
    let database = try JournalFile.openToRead(path: path, application: application)
    let walk = try JournalWalk(database, path: path)
    while let (_, entry) = try walk.next() { try take(entry) }
  }

  /// Gives every line of the journal's export, without line ends, in order (J-9).
  package static func export(path: String, _ take: (Bytes) throws -> Void) throws {
    let database = try JournalFile.openToRead(path: path)
    let walk = try JournalWalk(database, path: path)
    try take(
      JournalLine.header(
        application: try database.text("SELECT value FROM meta WHERE key='application'") ?? "",
        start: try database.integer("SELECT value FROM meta WHERE key='start'") ?? 0,
        builds: try JournalFile.builds(database), cut: walk.bounds.cut, cutHash: walk.bounds.cutHash
      ).bytes)
    var last = walk.bounds.cut
    while let (position, entry) = try walk.next() {
      try take(JournalLine.entry(entry, position: position, hash: walk.chain).bytes)
      last = position
    }
    try take(JournalLine.end(position: last, hash: walk.chain).bytes)
  }

  /// Makes a journal from the lines of an export; all of it, or no file.
  package static func makeFile(
    path: String, importing next: () throws -> Bytes?
  ) throws -> JournalAudit {
    try write(path) { try JournalImport(path: $0).run(next) }
  }

  /// Copies a journal as of one moment; a router may be writing it.
  package static func backUp(path: String, to target: String) throws -> JournalAudit {
    try write(target) { part in
      let database = try JournalFile.openToRead(path: path)
      try database.execute("COMMIT")
      try database.execute("VACUUM INTO '\(JournalFile.quoted(part))'")
    }
  }

  /// Forgets what exceeds the retention and makes the file as small as what is kept. No router may be
  /// running on it.
  package static func compact(
    path: String, retention: Retention
  ) throws(JournalError) -> JournalAudit {
    guard JournalFile.exists(path) else {
      throw JournalError(.missing, "there is no journal \(path)")
    }
    try JournalFile.refuseForeign(path)
    let lock = try lock(path)
    defer { withExtendedLifetime(lock.fileDescriptor) {} }
    lock.note(keptNote)
    // What is damaged stays as it is.
    _ = try verify(path: path)
    let database = try JournalFile.open(path: path, application: "", durability: .full)
    try database.transaction { () throws(JournalError) in
      try JournalPruner(database, path: path, retention: retention).pruneAll()
    }
    try database.execute("VACUUM")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try verify(path: path)
  }

  /// Lets `make` write a file under another name, looks at it, syncs it, and gives it its name.
  private static func write(
    _ target: String, _ make: (String) throws -> Void
  ) throws -> JournalAudit {
    guard access(target, F_OK) != 0 else {
      throw JournalError(.exists, "\(target) is there already; name another file")
    }
    let part = "\(target).part"
    unlink(part)
    do {
      try make(part)
      let audit = try verify(path: part)
      try sync(part)
      guard rename(part, target) == 0 else { throw failure("can't name \(target)") }
      for suffix in ["-wal", "-shm"] { unlink(part + suffix) }
      return audit
    } catch {
      for suffix in ["", "-wal", "-shm"] { unlink(part + suffix) }
      throw error
    }
  }

  private static func sync(_ path: String) throws(JournalError) {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw failure("can't open \(path)") }
    defer { Glibc.close(file) }
    guard fchmod(file, 0o600) == 0, fsync(file) == 0 else { throw failure("can't sync \(path)") }
  }

  private static func failure(_ what: String) -> JournalError {
    JournalError(errno == ENOSPC ? .full : .failed, "\(what): \(String(cString: strerror(errno)))")
  }
}
