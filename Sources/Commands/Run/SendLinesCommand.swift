import Machines
import PenstockCore
import Wire

/// `penstock send PATH - --lines`: an action a line in, what became of it a line out.
struct SendLinesCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    let path = try CommandPath.read(invocation.words[0])
    guard invocation.words.count == 2 else {
      throw CommandFailure(.usage, "PS-A13", "with --lines there is no VALUE: a line is an action")
    }
    var reader = try LineReader(invocation.words[1])
    let limit = try invocation.number("in-flight") ?? 64
    let timeout = try invocation.duration("timeout") ?? .seconds(5)
    var number = 0
    var lines: [UInt64: Int] = [:]
    var code: Int32 = 0
    while true {
      if lines.count < limit, reader.isEmpty { try reader.readIfReady() }
      while lines.count < limit, !reader.isEmpty {
        number += 1
        let line = reader.take()
        if line.isEmpty { continue }
        if lines.isEmpty { connection.allow(timeout) }
        lines[connection.submit(path, try payload(line, number))] = number
      }
      if lines.isEmpty {
        if reader.isAtEnd { return code }
        // However long the next line takes.
        connection.deadline = .max
      }
      connection.input = lines.count < limit && !reader.isAtEnd ? reader.file : nil
      guard case .settled(let ticket, let outcome)? = try connection.event(),
        let line = lines.removeValue(forKey: ticket)
      else { continue }
      connection.allow(timeout)
      let row = OutcomeRow(outcome.status)
      try output.write(row.text(isJSON: invocation.isJSON, line: line))
      code = max(code, row.code)
    }
  }

  private func payload(_ line: Bytes, _ number: Int) throws(CommandFailure) -> Bytes {
    do throws(JSONError) {
      return Bytes(try JSONValue(line).compact.utf8)
    } catch {
      throw CommandFailure(.usage, "PS-A14", "line \(number) is no JSON: \(error)")
    }
  }
}
