import CSQLite
import Machines

/// A connection to one database file. Used by one thread.
final class Database {
  enum Access {
    /// A file that is missing is made.
    case make
    case write
    /// Read as it is, without its log and without a lock; nothing is made beside it.
    case frozen

    fileprivate var flags: Int32 {
      switch self {
      case .make: PENSTOCK_SQLITE_OPEN_READWRITE | PENSTOCK_SQLITE_OPEN_CREATE
      case .write: PENSTOCK_SQLITE_OPEN_READWRITE
      case .frozen: PENSTOCK_SQLITE_OPEN_READONLY | PENSTOCK_SQLITE_OPEN_URI
      }
    }

    fileprivate func name(of path: String) -> String {
      guard case .frozen = self else { return path }
      let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f")
        .replacing("#", with: "%23")
      return "file:\(path.hasPrefix("/") ? "//" : "")\(escaped)?immutable=1"
    }
  }

  let functions: penstock_sqlite
  private let handle: OpaquePointer
  private let path: String

  /// Opens the file, and loads SQLite when nobody did before.
  init(path: String, _ access: Access) throws(JournalError) {
    var reason: UnsafePointer<CChar>?
    guard let functions = penstock_sqlite_load(&reason) else {
      let why = reason.map { String(cString: $0) } ?? "unknown reason"
      throw JournalError(
        .failed, "the journal needs SQLite: \(why); install the package libsqlite3-0")
    }
    self.functions = functions.pointee
    self.path = path
    var handle: OpaquePointer?
    // One thread uses it, so SQLite need not lock it.
    let flags = access.flags | PENSTOCK_SQLITE_OPEN_NOMUTEX
    let code = functions.pointee.open_v2(access.name(of: path), &handle, flags, nil)
    guard code == PENSTOCK_SQLITE_OK, let handle else {
      let why = handle.flatMap { functions.pointee.errmsg($0) }.map { String(cString: $0) } ?? ""
      if let handle { _ = functions.pointee.close_v2(handle) }
      throw JournalError(.failed, "the journal \(path) can't be opened: \(why)")
    }
    self.handle = handle
    // Somebody may be reading with another tool.
    _ = self.functions.busy_timeout(handle, 5000)
  }

  deinit { _ = functions.close_v2(handle) }

  func execute(_ sql: String) throws(JournalError) {
    try check(functions.exec(handle, sql, nil, nil, nil))
  }

  func prepare(_ sql: String) throws(JournalError) -> Statement {
    var statement: OpaquePointer?
    try check(functions.prepare_v2(handle, sql, -1, &statement, nil))
    return Statement(statement!, database: self)
  }

  /// The first column of the first row.
  func integer(_ sql: String) throws(JournalError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.step() else { return nil }
    return statement.integer(0)
  }

  func text(_ sql: String) throws(JournalError) -> String? {
    let statement = try prepare(sql)
    guard try statement.step() else { return nil }
    return statement.text(0)
  }

  /// What `body` does takes hold together or not at all.
  func transaction(_ body: () throws(JournalError) -> Void) throws(JournalError) {
    try execute("BEGIN IMMEDIATE")
    do throws(JournalError) {
      try body()
      try execute("COMMIT")
    } catch {
      // What failed may have rolled back already.
      try? execute("ROLLBACK")
      throw error
    }
  }

  func check(_ code: Int32) throws(JournalError) {
    guard code != PENSTOCK_SQLITE_OK else { return }
    let why = functions.errmsg(handle).map { String(cString: $0) } ?? "code \(code)"
    switch code & 0xFF {
    case PENSTOCK_SQLITE_FULL:
      throw JournalError(
        .full, "the journal \(path) can't grow, its disk is full (\(why)); make room there")
    case PENSTOCK_SQLITE_IOERR:
      throw JournalError(
        .notWritten,
        """
        the journal \(path) could not be written or synced (\(why), code \
        \(functions.extended_errcode(handle))); what was not acknowledged may be lost
        """)
    case PENSTOCK_SQLITE_CORRUPT, PENSTOCK_SQLITE_NOTADB:
      throw JournalError(
        .damaged, "the journal \(path) is damaged (\(why)); restore it from a copy")
    case PENSTOCK_SQLITE_BUSY:
      throw JournalError(
        .taken, "another process holds the journal \(path) for longer than 5 s (\(why))")
    default:
      throw JournalError(.failed, "the journal \(path): \(why)")
    }
  }
}
