import Machines
import Penstock
import PenstockCore
import Processes
import SQLiteJournal

/// What the oracle makes of a journal's order.
struct OrderReport {
  private let order: [OrderRecord]
  private let wanted: [UInt64]
  private let result: ReplayResult

  /// - Throws: `UsageError`, or `JournalError` when the journal can't be read.
  init<App: PenstockApp>(
    _ application: Application<App>, _ arguments: ParsedArguments, usage: String
  ) throws {
    guard let journal = arguments["--journal"] else {
      throw UsageError("--journal is missing", usage)
    }
    let order = try SQLiteJournal.entries(path: journal, application: App.name).order
    if let first = order.first?.sequence, first > 0 {
      throw JournalError(
        .failed,
        "the journal \(journal) begins with record \(first); what was before is forgotten "
          + "(--retain), and a replay needs record 0")
    }
    wanted = try arguments.all("--at").map { text in
      guard let sequence = UInt64(text), sequence < order.count else {
        throw UsageError(
          "--at \(text) is no record; the journal has 0 to \(order.count - 1)", usage)
      }
      return sequence
    }
    self.order = order
    result = application.replay(order, statesAt: Set(wanted))
  }

  /// The exit code says whether the order is a possible one.
  func print() -> ExitCode {
    ProcessMain.print(String(decoding: json, as: UTF8.self) + "\n")
    return result.divergence == nil ? .done : .failed
  }

  private func count(_ isWanted: (Origin) -> Bool) -> Int { order.count { isWanted($0.origin) } }

  private var json: Bytes {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("v") { $0.integer(1) }
      writer.member("records") { $0.integer(order.count) }
      writer.member("clients") {
        $0.integer(count { if case .client = $0 { true } else { false } })
      }
      writer.member("sends") { $0.integer(count { if case .send = $0 { true } else { false } }) }
      writer.member("outputs") {
        $0.integer(count { if case .output = $0 { true } else { false } })
      }
      writer.member("ends") { $0.integer(count { if case .end = $0 { true } else { false } }) }
      writer.member("timers") { $0.integer(count { if case .timer = $0 { true } else { false } }) }
      writer.member("voids") { $0.integer(result.voids.count) }
      writer.member("unmounted") { $0.integer(result.unmounted.count) }
      writer.member("unconsumed") { $0.integer(result.unconsumedSends.count) }
      writer.member("hash") { $0.string(SHA256.hex(of: result.finalState)) }
      writer.member("hashes") { writer in
        writer.object { writer in
          for sequence in wanted {
            writer.member("\(sequence)") { writer in
              writer.text(result.states[sequence].map { SHA256.hex(of: $0) })
            }
          }
        }
      }
      writer.member("divergence") { $0.text(result.divergence.map { "\($0)" }) }
    }
    return writer.bytes
  }
}
