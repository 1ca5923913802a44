import Machines

/// What a database file holds: it may be another program's.
enum JournalHolding: Equatable {
  case nothing
  case journal
  /// What it has instead, in words.
  case other(String)

  private static let columns: [String: Set<String>] = [
    "meta": ["key", "value"], "entries": ["position", "kind", "sequence", "hash"],
  ]

  init(_ database: Database) throws(JournalError) {
    let rows = try database.prepare(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
    var tables: [String] = []
    while try rows.step() {
      let name = rows.text(0) ?? ""
      if !name.hasPrefix("sqlite_") { tables.append(name) }
    }
    if tables.isEmpty {
      let mark = try database.integer("PRAGMA application_id") ?? 0
      let version = try database.integer("PRAGMA user_version") ?? 0
      self =
        mark == 0 && version == 0
        ? .nothing : .other("application_id \(mark), user_version \(version)")
      return
    }
    for (table, columns) in Self.columns {
      guard columns.isSubset(of: try Self.columns(of: table, database)) else {
        let more = tables.count > 3 ? " and \(tables.count - 3) more" : ""
        self = .other("tables " + tables.prefix(3).joined(separator: ", ") + more)
        return
      }
    }
    self = .journal
  }

  private static func columns(
    of table: String, _ database: Database
  ) throws(JournalError) -> Set<String> {
    let rows = try database.prepare("PRAGMA table_info(\(table))")
    var names: Set<String> = []
    while try rows.step() { names.insert(rows.text(1) ?? "") }
    return names
  }

  /// What is said of a file that is another program's.
  func foreign(_ path: String) -> JournalError? {
    guard case .other(let what) = self else { return nil }
    return JournalError(
      .otherApplication,
      """
      \(path) is another program's database (\(what)), no journal; it is left as it was, name \
      another file
      """)
  }
}
