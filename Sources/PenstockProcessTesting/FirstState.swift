import Machines
import Penstock
import PenstockCore
import Platform
import SQLiteJournal

/// Record 0 and the checkpoint at it, for a journal that begins with a state of the test.
///
/// A router that finds them goes on there, as one that was started anew does.
struct FirstState {
  let record: OrderRecord
  private let checkpoint: Bytes

  /// - Parameter application: whose initial state it is.
  init<App: PenstockApp>(_ application: Application<App>, now: Int64) throws {
    let node = try application.node(at: .root, placement: [.root])
    let (state, mounts) = try node.initial(now: now, seed: 0)
    record = OrderRecord(
      sequence: 0, path: .root, payload: state, now: now, seed: 0, origin: .initial, correlation: 0)
    var shape = application.description
    shape.build = 0
    checkpoint = try Checkpoint(
      schemaHash: shape.schemaHash, part: RouterPart(initialMounts: mounts, now: now), state: state,
      sessions: [:], quarantine: Quarantine(), description: JSONWriter.bytes(of: shape)
    ).encode()
  }

  /// Makes the journal's file. It has no start: the router's is the first.
  func write(journal path: String, application: String) throws {
    let reports = Inbox<JournalReport>()
    let journal = try SQLiteJournal(
      path: path, application: application, durability: .processOnly, reports: reports)
    journal.append([.record(record), .checkpoint(sequence: 0, body: checkpoint)], ticket: 1)
    journal.close()
    for case .failed(let error) in reports.take() { throw error }
  }
}
