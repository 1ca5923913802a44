import Machines
import Platform
import ProcessSupport
import SQLiteJournal
import Testing

/// A journal of these entries, in a directory of its own.
struct SampleJournal {
  let directory = TemporaryDirectory()
  var path: String { directory.file("sample.sqlite") }

  init(_ entries: [JournalEntry]) {
    let reports = Inbox<JournalReport>()
    do {
      let journal = try SQLiteJournal(
        path: path, application: "pair", durability: .processOnly, reports: reports)
      journal.append(entries, ticket: 1)
      journal.close()
    } catch {
      Issue.record(error)
    }
  }
}
