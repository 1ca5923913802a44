import Machines
import PenstockCore
import Wire

/// `penstock send`: actions in, numbers out.
struct SendCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    let path = try CommandPath.read(invocation.words[0])
    let payload = try SendPayload.read(Array(invocation.words[1...]))
    let count = try invocation.number("count") ?? 1
    let timeout = try invocation.duration("timeout") ?? .seconds(5)
    var submitted = 0
    var settled = 0
    var code: Int32 = 0
    var last: UInt64?
    var firstVoid: UInt64?
    while settled < count {
      while submitted < count, submitted - settled < ClientMachine.window {
        _ = connection.submit(path, payload)
        submitted += 1
      }
      let event = try next(connection, open: submitted - settled)
      guard case .settled(_, let outcome) = event else { continue }
      settled += 1
      connection.allow(timeout)
      let result = try report(outcome)
      code = max(code, result)
      switch outcome.status {
      case .committed(let sequence, _): last = sequence
      case .void(let sequence, _): firstVoid = firstVoid ?? sequence
      case .refused: break
      }
    }
    if let firstVoid { try explain(firstVoid, connection) }
    guard invocation.has("wait"), let last else { return code }
    return max(code, try waitForEffects(of: last, connection))
  }

  /// The next event. A time-out says what it leaves open.
  private func next(_ connection: RouterConnection, open: Int) throws -> ClientOutput {
    do {
      return try connection.next()
    } catch {
      guard error.status == .timedOut else { throw error }
      var failure = error
      failure.details.insert(
        "\(Quantity.count(open, "action")) without an answer may still be applied: look with "
          + "penstock state or tap", at: 0)
      throw failure
    }
  }

  /// Why the action is void, in the words of who found out.
  private func explain(_ sequence: UInt64, _ connection: RouterConnection) throws {
    let answer = try connection.request("trace", "{\"seq\":\(sequence)}")
    for text in TraceReport(answer).diagnostics { output.remark("  \(text)\n") }
  }

  private func report(_ outcome: ClientOutcome) throws -> Int32 {
    if case .refused(let refusal) = outcome.status {
      throw RouterConnection.failure(refusal.code.rawValue, refusal.message)
    }
    let row = OutcomeRow(outcome.status)
    try output.write(row.text(isJSON: invocation.isJSON))
    if let remark = row.remark(path: invocation.words[0]) { output.remark(remark) }
    return row.code
  }

  /// Asks for the trace until nothing is to come but for timers.
  private func waitForEffects(
    of sequence: UInt64, _ connection: RouterConnection
  ) throws -> Int32 {
    while true {
      let answer = try connection.request("trace", "{\"seq\":\(sequence)}")
      let report = TraceReport(answer)
      if report.isComplete {
        try output.write(invocation.isJSON ? answer.compact + "\n" : report.text)
        let hasFailed = answer["effects"].elements.contains { $0["state"].text == "failed" }
        return hasFailed ? CommandFailure.Status.negative.rawValue : 0
      }
      _ = try connection.poll(milliseconds: 50)
    }
  }
}
