import Machines

/// Forgets what is older than a journal keeps, a little in each transaction: at most twice as many
/// entries as were appended, so that it always catches up and never holds anybody up. Their pages are
/// used again, so the file stops growing.
///
/// It cuts at checkpoints only: before what a start from a checkpoint reads. The last checkpoint and
/// what it does not cover stay, whatever the retention says.
final class JournalPruner {
  private let database: Database
  private let path: String
  private let retention: Retention
  private let nextCheckpoint: Statement
  private let delete: Statement
  private let hashAt: Statement
  private let setMeta: Statement
  private var cut: Int64
  /// The first entry that stays, of a cut that is on its way.
  private var target: Int64?
  /// Nothing new can be forgotten before there is another checkpoint.
  private var isDue = true
  private var now: Int64 = 0
  private var lastRecord: UInt64 = 0

  /// Entries that are forgotten in a transaction besides twice as many as it appends.
  private static let least = 64

  init(_ database: Database, path: String, retention: Retention) throws(JournalError) {
    self.database = database
    self.path = path
    self.retention = retention
    nextCheckpoint = try database.prepare(
      "SELECT position FROM entries WHERE kind='checkpoint' AND position > ? ORDER BY position")
    delete = try database.prepare("DELETE FROM entries WHERE position <= ?")
    hashAt = try database.prepare("SELECT hash FROM entries WHERE position = ?")
    setMeta = try database.prepare("UPDATE meta SET value=? WHERE key=?")
    cut = try JournalBounds(database).cut
    lastRecord = UInt64(
      bitPattern: try database.integer(
        """
        SELECT sequence FROM entries WHERE kind IN ('record', 'checkpoint')
        ORDER BY position DESC LIMIT 1
        """) ?? 0)
    now = try time(before: .max) ?? 0
  }

  func wrote(now: Int64, record: UInt64? = nil) {
    self.now = max(self.now, now)
    if let record { lastRecord = record }
  }

  func wroteCheckpoint() { isDue = true }

  /// Forgets some entries within the transaction that is open.
  func prune(appended count: Int) throws(JournalError) {
    var budget = Int64(2 * count + Self.least)
    while budget > 0 {
      if target == nil {
        guard isDue else { return }
        target = try nextTarget()
        isDue = target != nil
      }
      guard let target else { return }
      let last = min(target - 1, cut + budget)
      if last > cut {
        budget -= last - cut
        try forget(through: last)
      }
      if last == target - 1 { self.target = nil }
    }
  }

  /// Forgets all that the retention allows, in one transaction.
  func pruneAll() throws(JournalError) { try prune(appended: Int(Int32.max)) }

  private func forget(through last: Int64) throws(JournalError) {
    try hashAt.bind(1, last)
    guard let hash = try hashAt.first() else { throw JournalWalk.damaged(path, at: last) }
    try delete.bind(1, last)
    try delete.run()
    for (key, value) in [("cut", last), ("cutHash", hash)] {
      try setMeta.bind(1, value)
      try setMeta.bind(2, key)
      try setMeta.run()
    }
    cut = last
  }

  /// The first entry that has to stay with the next checkpoint after the cut, if the retention lets
  /// go of what is before it.
  private func nextTarget() throws(JournalError) -> Int64? {
    var from = cut
    while true {
      try nextCheckpoint.bind(1, from)
      guard let checkpoint = try nextCheckpoint.first() else { return nil }
      let first = try JournalFile.beginning(database, path: path, at: checkpoint)
      // The one at which the journal begins has nothing before it to let go of.
      if first <= cut + 1 {
        from = checkpoint
        continue
      }
      let covered = try database.integer(
        "SELECT sequence FROM entries WHERE position=\(checkpoint)")
      let candidate = Retention.Candidate(
        now: now, newestLost: try time(before: first) ?? 0, lastRecord: lastRecord,
        covered: UInt64(bitPattern: covered ?? 0), bytes: try bytesInUse())
      return retention.forgets(candidate) ? first : nil
    }
  }

  private func time(before position: Int64) throws(JournalError) -> Int64? {
    try database.integer(
      """
      SELECT now FROM entries WHERE position < \(position) AND now IS NOT NULL
      ORDER BY position DESC LIMIT 1
      """)
  }

  private func bytesInUse() throws(JournalError) -> Int64 {
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try database.integer("PRAGMA page_size") ?? 4096)
  }
}
