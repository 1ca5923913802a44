import Glibc
import Platform
import Processes
import ZeroMQ

/// Runs one command line and gives its exit code.
package enum CommandRun {
  package static func main(_ arguments: [String]) -> Int32 {
    do {
      if let fault = ProgramArguments.fault {
        throw CommandFailure(.usage, "PS-A22", "\(fault)", fault.remedy)
      }
      return try run(arguments)
    } catch is Output.ReaderGone {
      return 0
    } catch let failure as CommandFailure {
      if failure == .interrupted { return 128 + SIGINT }
      try? Output.write(failure.text(command: name(in: arguments)), to: 2)
      return failure.status.rawValue
    } catch {
      try? Output.write("penstock: \("\(error)".printableLines) [PS-X01]\n", to: 2)
      return CommandFailure.Status.bug.rawValue
    }
  }

  private static func name(in arguments: [String]) -> String? {
    arguments.first { Command.Name(rawValue: $0) != nil }
  }

  private static func run(_ arguments: [String]) throws -> Int32 {
    switch try ArgumentParser.parse(arguments) {
    case .help(let name): try Output.write(HelpText.of(name), to: 1)
    case .version: try Output.write("penstock \(CommandTable.version)\n", to: 1)
    case .run(let invocation): return try run(invocation)
    }
    return 0
  }

  private static func run(_ invocation: Invocation) throws -> Int32 {
    let output = Output(invocation)
    if invocation.command.name == .`init` {
      return try InitCommand(invocation, output).run()
    }
    if invocation.command.name == .simulate {
      return try SimulateCommand(invocation, output).run()
    }
    if invocation.command.name == .journal {
      return try JournalCommand(invocation, output).run()
    }
    if invocation.command.name == .verify {
      return try VerifyCommand(invocation, output).run()
    }
    if invocation.command.name == .export {
      return try ExportCommand(invocation, output).run()
    }
    // Signals are blocked before libzmq starts its threads.
    let supervision = try Supervision()
    if invocation.command.name == .compare {
      return try CompareCommand(invocation, output, supervision, Context()).run()
    }
    let directory = try SystemLookup.find(invocation.value("system"))
    // `ready` may be asked before there is anything.
    if invocation.command.name != .ready, case .noDirectory = RouterAbsence(in: directory) {
      throw SystemLookup.silence(of: directory)
    }
    let context = try Context()
    let connection = try RouterConnection(
      directory, supervision: supervision, context: context)
    connection.allow(try invocation.duration("timeout") ?? .seconds(5))
    defer { connection.close() }
    switch invocation.command.name {
    case .tap:
      return try TapCommand(invocation, output).run(connection, supervision, context)
    case .send where invocation.has("lines"):
      return try SendLinesCommand(invocation, output).run(connection)
    case .send: return try SendCommand(invocation, output).run(connection)
    case .state: return try StateCommand(invocation, output).run(connection)
    case .ready: return try ReadyCommand(invocation, output).run(connection)
    case .ps:
      return try report(connection.request("ps"), invocation, output) { answer in
        ProcessReport(answer).text(isTree: invocation.has("tree"), isQuiet: output.isQuiet)
      }
    case .effects: return try EffectsCommand(invocation, output).run(connection)
    case .quarantine: return try QuarantineCommand(invocation, output).run(connection)
    case .checkpoint:
      let hold = invocation.value("hold").map {
        JSONValue.object([.init(name: "hold", value: .string($0))]).compact
      }
      return try report(connection.request("checkpoint", hold ?? "{}"), invocation, output) {
        "as of \($0["sequence"].compact)\n"
      }
    case .trace: return try TraceCommand(invocation, output).run(connection)
    case .`init`, .simulate, .compare, .verify, .export, .journal, .help: return 0
    }
  }

  private static func report(
    _ answer: JSONValue, _ invocation: Invocation, _ output: Output,
    text: (JSONValue) -> String
  ) throws -> Int32 {
    try output.write(invocation.isJSON ? answer.compact + "\n" : text(answer))
    return 0
  }
}
