import Penstock
import PenstockCore

/// The replay of a fixture, as far as it comes.
struct ReplayRun<App: PenstockApp> {
  typealias State = App.Root.State

  /// The first record that is not as it was.
  struct Failure: Error {
    var record: String
    var difference: String
  }

  private(set) var state: State?

  mutating func run(
    _ application: Application<App>, _ fixture: ReplayFixture
  ) throws(Failure) {
    var replay = try ReplayRun.begin(application, fixture)
    replay.checksPurity = true
    state = replay.state
    var document = try ReplayRun.document(fixture)
    let beginning = replay.next - 1
    for record in fixture.records {
      let known = ReplayRun.known(record, since: beginning)
      do {
        _ = try replay.apply(known)
      } catch {
        throw Failure(record: ReplayRun.text(record), difference: error.message)
      }
      state = replay.state
      guard let patch = fixture.patches[record.sequence] else { continue }
      let recorded: State
      do {
        try document.apply(patch)
        recorded = try JSONReader.decode(from: document.encode())
      } catch {
        throw Failure(
          record: ReplayRun.text(record),
          difference: "The recorded state is none of this build: \(error.message)")
      }
      guard recorded == replay.state else {
        let lines = Difference(expected: recorded, actual: replay.state).text
        throw Failure(
          record: ReplayRun.text(record),
          difference: "The state is another one (− recorded, + now).\n\n\(lines)")
      }
    }
  }

  private static func begin(
    _ application: Application<App>, _ fixture: ReplayFixture
  ) throws(Failure) -> OrderReplay<App> {
    do {
      switch fixture.beginning {
      case .initial(let record): return try OrderReplay(application, initial: record)
      case .state(let bytes, let sequence):
        return try OrderReplay(
          application, from: OrderCut(sequence: sequence, state: bytes, living: [:], mounts: [:]))
      }
    } catch {
      throw Failure(record: "its beginning", difference: error.message)
    }
  }

  private static func document(_ fixture: ReplayFixture) throws(Failure) -> JSONDocument {
    let bytes =
      switch fixture.beginning {
      case .initial(let record): record.payload
      case .state(let bytes, _): bytes
      }
    do {
      return try JSONDocument(bytes)
    } catch {
      throw Failure(
        record: "its beginning", difference: "It begins with no state: \(error.message)")
    }
  }

  /// What an effect gave that was started before the recording is taken as it comes.
  private static func known(_ record: OrderRecord, since beginning: UInt64) -> OrderRecord {
    guard beginning > 0 else { return record }
    switch record.origin {
    case .output(let effect, _, _) where effect.sequence <= beginning,
      .timer(let effect, _) where effect.sequence <= beginning:
      var record = record
      record.origin = .client(session: 0, sequence: record.sequence)
      return record
    default: return record
    }
  }

  private static func text(_ record: OrderRecord) -> String {
    let name = JSONScan.caseText(of: record.payload).map { " (\($0))" } ?? ""
    return "record \(record.sequence), at \(record.path)\(name)"
  }
}
