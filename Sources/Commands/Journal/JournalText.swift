package import Machines
import PenstockCore
import Platform
package import SQLiteJournal

/// What the commands about journals print.
package enum JournalText {
  package static func text(_ audit: JournalAudit, of file: String) -> String {
    let positions = audit.positions.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "none"
    var lines = ["\(file): as it was written, entries \(positions), chain \(audit.chain.text)"]
    lines.append(
      [
        Quantity.count(audit.records, "record")
          + range(audit.firstRecord, audit.lastRecord, before: ", "),
        Quantity.count(audit.marks, "mark"), Quantity.count(audit.checkpoints, "checkpoint"),
        Quantity.count(audit.starts, "start"),
      ].joined(separator: " · "))
    if let first = audit.firstRecord, first > 0 { lines.append(beginning(first)) }
    if audit.positions == nil {
      lines.append(
        "nothing was written to it; if it is a copy, it needs its log \(file)-wal too: "
          + "`penstock journal backup` copies both as one file")
    }
    return lines.map { $0.printable + "\n" }.joined()
  }

  package static func json(_ audit: JournalAudit, of file: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("file") { $0.string(file) }
      writer.member("first") { $0.number(audit.positions?.lowerBound) }
      writer.member("last") { $0.number(audit.positions?.upperBound) }
      writer.member("chain") { $0.string(audit.chain.text) }
      writer.member("records") { $0.integer(audit.records) }
      writer.member("marks") { $0.integer(audit.marks) }
      writer.member("checkpoints") { $0.integer(audit.checkpoints) }
      writer.member("starts") { $0.integer(audit.starts) }
      writer.member("first_record") { $0.number(audit.firstRecord) }
      writer.member("last_record") { $0.number(audit.lastRecord) }
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  package static func text(_ journal: JournalStatistics) -> String {
    var table = TextTable([.left(""), .left("")])
    func add(_ name: String, _ text: String) { table.add([name, text]) }
    add("application", journal.application.isEmpty ? "–" : journal.application)
    add(
      "format", "\(journal.format), schema " + (journal.schema.map { String($0, radix: 16) } ?? "–")
    )
    add("last entry", "\(journal.lastPosition), chain \(journal.chain.text)")
    add(
      "records",
      "\(journal.records)"
        + range(journal.firstRecord, journal.lastRecord, before: ": "))
    add("marks", "\(journal.marks)")
    add(
      "checkpoints",
      "\(journal.checkpoints), \(Quantity.bytes(journal.checkpointBytes))"
        + (journal.lastCheckpoint.map { "; the last is of record \($0)" } ?? ""))
    add("starts", "\(journal.starts); the last is start \(journal.lastStart)")
    if let first = journal.firstTime, let last = journal.lastTime {
      add(
        "time",
        "\(Timestamp(microseconds: first).rfc3339) to \(Timestamp(microseconds: last).rfc3339)")
    }
    add(
      "file",
      "\(Quantity.bytes(journal.fileBytes)), \(Quantity.bytes(journal.freeBytes)) of it free; "
        + "its log \(Quantity.bytes(journal.logBytes))")
    if journal.forgotten > 0 { add("forgotten", "the entries up to \(journal.forgotten)") }
    return table.text(withHeader: false)
  }

  package static func json(_ journal: JournalStatistics) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("application") { $0.string(journal.application) }
      writer.member("format") { $0.integer(journal.format) }
      writer.member("schema") { $0.text(journal.schema.map { String($0, radix: 16) }) }
      writer.member("last") { $0.integer(journal.lastPosition) }
      writer.member("chain") { $0.string(journal.chain.text) }
      writer.member("records") { $0.integer(journal.records) }
      writer.member("first_record") { $0.number(journal.firstRecord) }
      writer.member("last_record") { $0.number(journal.lastRecord) }
      writer.member("marks") { $0.integer(journal.marks) }
      writer.member("checkpoints") { $0.integer(journal.checkpoints) }
      writer.member("last_checkpoint") { $0.number(journal.lastCheckpoint) }
      writer.member("checkpoint_bytes") { $0.integer(journal.checkpointBytes) }
      writer.member("starts") { $0.integer(journal.starts) }
      writer.member("last_start") { $0.integer(journal.lastStart) }
      writer.member("first_time") { $0.number(journal.firstTime) }
      writer.member("last_time") { $0.number(journal.lastTime) }
      writer.member("bytes") { $0.integer(journal.fileBytes) }
      writer.member("free_bytes") { $0.integer(journal.freeBytes) }
      writer.member("log_bytes") { $0.integer(journal.logBytes) }
      writer.member("forgotten") { $0.integer(journal.forgotten) }
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  /// History that begins later says so wherever it is looked at.
  package static func beginning(_ first: UInt64) -> String {
    "it begins with record \(first); what was before is forgotten (--retain)"
  }

  private static func range(
    _ first: UInt64?, _ last: UInt64?, before: String
  ) -> String {
    guard let first, let last else { return "" }
    return "\(before)\(first) to \(last)"
  }
}
