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
      code = max(code, try report(outcome.status, line))
    }
  }

  private func payload(_ line: Bytes, _ number: Int) throws(CommandFailure) -> Bytes {
    do throws(JSONError) {
      return Bytes(try JSONValue(line).compact.utf8)
    } catch {
      throw CommandFailure(.usage, "PS-A14", "line \(number) is no JSON: \(error)")
    }
  }

  private func report(_ status: ClientOutcome.Status, _ line: Int) throws -> Int32 {
    switch status {
    case .committed(let sequence, let isUnmounted):
      try print(line, sequence, "committed", isUnmounted ? "unmounted" : nil)
      return 0
    case .void(let sequence, let reason):
      try print(line, sequence, "void", reason.word)
      return CommandFailure.Status.negative.rawValue
    case .refused(let refusal):
      try print(line, nil, "refused", refusal.code.word)
      return CommandFailure.Status.refused.rawValue
    }
  }

  private func print(_ line: Int, _ sequence: UInt64?, _ status: String, _ flag: String?) throws {
    let number = sequence.map { "\($0)" }
    if invocation.isJSON {
      let reason = flag.map { "\"\($0)\"" } ?? "null"
      try output.write(
        "{\"v\":1,\"line\":\(line),\"seq\":\(number ?? "null"),\"status\":\"\(status)\","
          + "\"flag\":\(reason)}\n")
    } else {
      let reason = flag.map { " (\($0))" } ?? ""
      try output.write("\(line) \(number ?? "-") \(status)\(reason)\n")
    }
  }
}
