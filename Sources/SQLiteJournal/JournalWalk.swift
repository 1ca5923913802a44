import Machines
import PenstockCore

/// Reads entries in their order and compares the hashes, the last entry too: what was cut off at the
/// end is missed.
final class JournalWalk {
  let bounds: JournalBounds
  private(set) var chain: HashChain
  private let path: String
  private let rows: Statement
  private var expected: Int64

  /// - Parameter first: the position to begin at; nil is the first one that is kept.
  init(_ database: Database, path: String, from first: Int64? = nil) throws(JournalError) {
    self.path = path
    bounds = try JournalBounds(database)
    let first = max(first ?? 0, bounds.cut + 1)
    chain = bounds.cutHash
    if first > bounds.cut + 1 {
      guard
        let before = try database.integer("SELECT hash FROM entries WHERE position=\(first - 1)")
      else { throw Self.damaged(path, at: first - 1) }
      chain = HashChain(UInt64(bitPattern: before))
    }
    expected = first
    rows = try database.prepare(
      """
      SELECT position, kind, sequence, path, payload, origin, now, seed, correlation, reason, hash
      FROM entries WHERE position >= \(first) ORDER BY position
      """)
  }

  /// - Throws: `damaged` at the first entry that is not what was written.
  func next() throws(JournalError) -> (position: Int64, entry: JournalEntry)? {
    guard try rows.step() else {
      try checkTail()
      return nil
    }
    let position = rows.integer(0)
    guard position == expected, let entry = rows.entry else {
      throw Self.damaged(path, at: expected)
    }
    chain.append(entry)
    guard chain.value == rows.unsigned(10) else { throw Self.damaged(path, at: position) }
    expected += 1
    return (position, entry)
  }

  private func checkTail() throws(JournalError) {
    guard let tail = bounds.tail else { return }
    if expected <= tail {
      throw Self.damaged(
        path, "its last entries are missing: it ends with \(expected - 1), and \(tail) were written"
      )
    }
    guard expected == tail + 1, chain == bounds.tailHash else {
      throw Self.damaged(path, "its end is not what was written")
    }
  }

  static func damaged(_ path: String, at position: Int64) -> JournalError {
    damaged(path, "its entry \(position) is not what was written")
  }

  static func damaged(_ path: String, _ why: String) -> JournalError {
    JournalError(.damaged, "the journal \(path) is damaged: \(why); restore the file from a copy")
  }
}

extension Statement {
  /// The entry of a row with the columns of `entries`; nil when it is none.
  fileprivate var entry: JournalEntry? {
    let sequence = unsigned(2)
    switch text(1) {
    case "start":
      return .start(number: UInt32(clamping: sequence), now: integer(6))
    case "record":
      guard let path = text(3).flatMap({ Path($0) }),
        let origin = text(5).flatMap({ Origin(text: $0) })
      else { return nil }
      return .record(
        OrderRecord(
          sequence: sequence, path: path, payload: bytes(4), now: integer(6), seed: unsigned(7),
          origin: origin, correlation: unsigned(8)))
    case "mark":
      return text(9).flatMap { VoidReason(word: $0) }.map {
        .mark(sequence: sequence, reason: $0)
      }
    case "checkpoint": return .checkpoint(sequence: sequence, body: bytes(4))
    case "build":
      guard let path = text(3).flatMap({ Path($0) }),
        let build = text(9).flatMap({ UInt64($0, radix: 16) })
      else { return nil }
      return .build(sequence: sequence, path: path, build: build)
    default: return nil
    }
  }
}
