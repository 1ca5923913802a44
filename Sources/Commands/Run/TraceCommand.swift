import SQLiteJournal

/// `penstock trace`: what the router keeps of an action, or where else it stands.
struct TraceCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    let sequence = try invocation.sequence(0)
    do {
      let answer = try connection.request("trace", "{\"seq\":\(sequence)}")
      try output.write(
        invocation.isJSON ? answer.compact + "\n" : TraceReport(answer).text)
      return 0
    } catch let failure as CommandFailure where failure.status == .noSuchName {
      guard let file = try connection.request("ps")["journal"].text, holds(sequence, file) else {
        throw failure
      }
      var failure = failure
      failure.details += [
        "The router keeps what is newer than its start; the journal has the record. Try:",
        "penstock journal export \(file.shellWord) | grep '\"kind\":\"record\",\"sequence\":\(sequence),'",
      ]
      throw failure
    }
  }

  private func holds(_ sequence: UInt64, _ file: String) -> Bool {
    guard let journal = try? JournalStatistics(path: file), let first = journal.firstRecord,
      let last = journal.lastRecord
    else { return false }
    return first <= sequence && sequence <= last
  }
}
