import Machines
import PenstockCore
import Wire

/// `penstock quarantine`: what was set aside for good, and another try for it.
struct QuarantineCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    guard !invocation.words.isEmpty else {
      guard !invocation.has("retry") else {
        throw CommandFailure(
          .usage, "PS-A15", "--retry needs the number of an action",
          "penstock quarantine lists them.")
      }
      return try list(connection)
    }
    let sequence = try invocation.sequence(0)
    let answer = try connection.request("quarantine", "{\"seq\":\(sequence)}")
    guard let action = answer["actions"].elements.first else {
      throw CommandFailure(.bug, "PS-X03", "the router's answer has no action")
    }
    if invocation.has("retry") { return try retry(action, connection) }
    try output.write(
      invocation.isJSON ? answer.compact + "\n" : QuarantineReport.whole(answer))
    return 0
  }

  private func list(_ connection: RouterConnection) throws -> Int32 {
    let answer = try connection.request("quarantine")
    try output.write(
      invocation.isJSON
        ? answer.compact + "\n" : QuarantineReport.text(answer, isQuiet: output.isQuiet))
    return 0
  }

  private func retry(_ action: JSONValue, _ connection: RouterConnection) throws -> Int32 {
    guard let path = action["path"].text.flatMap({ Path($0) }), let payload = action["payload"].text
    else { throw CommandFailure(.bug, "PS-X03", "the router's answer has no path or payload") }
    _ = connection.submit(path, Bytes(payload.utf8))
    while true {
      guard case .settled(_, let outcome) = try connection.next() else { continue }
      if case .refused(let refusal) = outcome.status {
        throw RouterConnection.failure(refusal.code.rawValue, refusal.message)
      }
      let row = OutcomeRow(outcome.status)
      try output.write(row.text(isJSON: invocation.isJSON))
      return row.code
    }
  }
}
