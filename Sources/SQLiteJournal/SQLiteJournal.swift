import Glibc
package import Machines
package import Platform

/// The order in a SQLite file that anyone can read with `sqlite3`.
///
/// A thread of its own takes every batch that waits and writes them as one transaction: the slower the
/// disk, the larger the transactions. Two things keep a second router away: a lock on `FILE.lock`,
/// and, where locks don't work, the number of the start, which each transaction looks at.
package final class SQLiteJournal: Journal {
  private enum Order: Sendable {
    case append([JournalEntry], ticket: UInt64)
    case close
  }

  private let path: String
  private let application: String
  private let durability: Durability
  private let lock: FileLock
  private let orders = Inbox<Order>()
  private let reports: Inbox<JournalReport>
  private let thread: OwnedThread
  /// Where the file is now that had this name before.
  package let setAside: String?

  /// What the lock says where a journal was made: one that is gone then is lost, not new.
  static let keptNote = "journal"

  /// Opens the file, or makes it, and locks it.
  /// - Parameters:
  ///   - isFresh: whether a file that is there is moved aside, as FILE.old-1 and so on.
  ///   - pageLimit: the most pages of 4 kB that the file may have; nil is "no limit".
  package init(
    path: String, application: String, durability: Durability, isFresh: Bool = false,
    retention: Retention = .everything, reports: Inbox<JournalReport>, pageLimit: Int? = nil
  ) throws(JournalError) {
    try JournalFile.refuseForeign(path)
    let wasKept = FileLock.note(of: "\(path).lock") == Self.keptNote
    lock = try SQLiteJournal.lock(path)
    if wasKept, !isFresh, !JournalFile.exists(path) {
      lock.note(Self.keptNote)
      throw JournalError(
        .missing,
        """
        the journal \(path) is lost: a router kept the order there, and the file is gone or empty; \
        restore it from a copy, or remove \(path).lock to begin anew
        """)
    }
    setAside = isFresh ? try SQLiteJournal.moveAside(path) : nil
    // Only this user reads what clients sent.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      let why = String(cString: strerror(errno))
      throw JournalError(.failed, "the journal \(path) can't be opened: \(why)")
    }
    Glibc.close(file)
    _ = try JournalFile.open(path: path, application: application, durability: durability)
    lock.note(Self.keptNote)
    self.path = path
    self.application = application
    self.durability = durability
    self.reports = reports
    thread = OwnedThread(name: "journal") {
      [orders] in
      SQLiteJournal.run(
        orders, reports, path: path, application: application, durability: durability,
        retention: retention, pageLimit: pageLimit)
    }
  }

  /// Keeps routers, and whoever rewrites the file, away from each other.
  static func lock(_ path: String) throws(JournalError) -> FileLock {
    do throws(SystemError) {
      // A process that was just started from this one may hold it until it is itself.
      return try FileLock(
        path: "\(path).lock", what: "a router on the journal \(path)", patience: 500_000)
    } catch {
      throw JournalError(error.code == .taken ? .taken : .failed, error.message)
    }
  }

  private static func moveAside(_ path: String) throws(JournalError) -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    var number = 1
    while access("\(path).old-\(number)", F_OK) == 0 { number += 1 }
    let target = "\(path).old-\(number)"
    // The log first: it must not be taken for that of the new file.
    for suffix in ["-wal", "-shm", ""] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, target + suffix) == 0 else {
        let why = String(cString: strerror(errno))
        throw JournalError(.failed, "the journal \(path) can't be moved to \(target): \(why)")
      }
    }
    return target
  }

  /// All entries that a journal keeps, also of one that a router is writing.
  package static func entries(
    path: String, application: String
  ) throws(JournalError) -> [JournalEntry] {
    let database = try JournalFile.openToRead(path: path, application: application)
    return try JournalFile.read(database, path: path, fromStart: true).entries
  }

  package func load() throws(JournalError) -> JournalContents {
    let database = try JournalFile.open(
      path: path, application: application, durability: durability)
    return try JournalFile.read(database, path: path)
  }

  package func append(_ entries: [JournalEntry], ticket: UInt64) {
    orders.put(.append(entries, ticket: ticket))
  }

  package func close() {
    orders.put(.close)
    thread.join()
  }

  private static func run(
    _ orders: Inbox<Order>, _ reports: Inbox<JournalReport>, path: String, application: String,
    durability: Durability, retention: Retention, pageLimit: Int?
  ) {
    do throws(JournalError) {
      let database = try JournalFile.open(
        path: path, application: application, durability: durability)
      if let pageLimit { try database.execute("PRAGMA max_page_count=\(pageLimit)") }
      let writer = try JournalWriter(database, path: path, retention: retention)
      var isClosing = false
      while !isClosing {
        var batches: [[JournalEntry]] = []
        var last: UInt64 = 0
        for order in orders.wait() {
          switch order {
          case .append(let entries, let ticket):
            batches.append(entries)
            last = ticket
          case .close: isClosing = true
          }
        }
        guard !batches.isEmpty else { continue }
        try writer.write(batches)
        reports.put(.durable(ticket: last))
      }
    } catch {
      reports.put(.failed(error))
    }
  }
}
