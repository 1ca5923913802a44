// Appends records without end and prints the sequence of the last one that is durable, until it is
// killed. With `--fail-sync N` the disk fails at the Nth sync. For the tests of the journal.
import Glibc
import Machines
import PenstockCore
import Platform
import SQLiteJournal

/// How many syncs there are before one fails; nil: none fails.
enum Syncs {
  nonisolated(unsafe) static var left: Int?

  static func next() -> Int32 {
    guard let count = left else { return 0 }
    left = count - 1
    if count > 1 { return 0 }
    errno = EIO
    return -1
  }
}

/// SQLite finds these before those of the C library.
@_cdecl("fdatasync") func fdatasyncOfTests(_ file: Int32) -> Int32 { Syncs.next() }
@_cdecl("fsync") func fsyncOfTests(_ file: Int32) -> Int32 { Syncs.next() }

let isFailing = CommandLine.arguments.count > 3
if isFailing { Syncs.left = Int(CommandLine.arguments[3]) }
let reports = Inbox<JournalReport>()
let journal = try SQLiteJournal(
  path: CommandLine.arguments[1], application: "test",
  durability: isFailing ? .full : .processOnly, reports: reports)
let start = try journal.load().lastStart + 1
journal.append([.start(number: start, now: 0)], ticket: 0)
var sequence: UInt64 = 0
while true {
  let batch = (1...20).map { offset in
    JournalEntry.record(
      OrderRecord(
        sequence: sequence + UInt64(offset), path: .root, payload: Array("{\"a\":1}".utf8), now: 1,
        seed: 2, origin: .client(session: 3, sequence: sequence), correlation: 4))
  }
  sequence += 20
  journal.append(batch, ticket: sequence)
  for report in reports.wait() {
    switch report {
    case .durable(let ticket):
      let line = "\(ticket)\n"
      write(1, line, line.utf8.count)
    case .failed(let error):
      let line = "\(error.code.word) \(error.message)\n"
      write(2, line, line.utf8.count)
      exit(1)
    }
  }
}
