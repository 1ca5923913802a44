import Machines

/// Where a journal begins and ends, as its `meta` says.
struct JournalBounds {
  /// The last entry that was forgotten; 0 when none was.
  var cut: Int64
  var cutHash: HashChain
  /// The last entry; nil in a journal of format 1.
  var tail: Int64?
  var tailHash: HashChain

  init(_ database: Database) throws(JournalError) {
    func value(_ key: String) throws(JournalError) -> Int64? {
      try database.integer("SELECT value FROM meta WHERE key='\(key)'")
    }
    cut = try value("cut") ?? 0
    cutHash = HashChain(UInt64(bitPattern: try value("cutHash") ?? 0))
    tail = try value("tail")
    tailHash = HashChain(UInt64(bitPattern: try value("tailHash") ?? 0))
  }
}
