// Appends records without end and prints the sequence of the last one that is durable, until it is
// killed. For the tests of the journal.
import Glibc
import Machines
import PenstockCore
import Platform
import SQLiteJournal

let reports = Inbox<JournalReport>()
let journal = try SQLiteJournal(
  path: CommandLine.arguments[1], application: "test", durability: .processOnly, reports: reports)
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
  for case .durable(let ticket) in reports.wait() {
    let line = "\(ticket)\n"
    write(1, line, line.utf8.count)
  }
}
