import Glibc
import Platform

/// What every `main` does around its process: help, version, errors of usage, the exit code.
package enum ProcessMain {
  package static func run(
    _ command: ProcessCommand, _ arguments: [String],
    _ body: (ParsedArguments) throws -> ExitCode
  ) -> Never {
    if let fault = ProgramArguments.fault {
      fail("\(command.name): \(fault)\n  \(fault.remedy)\n", .usage)
    }
    if arguments.contains("--help") || arguments.contains("-h") {
      print(command.help)
      exit(0)
    }
    if arguments.contains("--version") {
      print("\(command.name) (Penstock \(Release.version))\n")
      exit(0)
    }
    do {
      exit(try body(try command.parse(arguments)).rawValue)
    } catch let error as UsageError {
      fail("\(command.name): \(error)\n", .usage)
    } catch {
      fail("\(command.name): \(error)\n", .refused)
    }
  }

  package static func print(_ text: String) { write(STDOUT_FILENO, text, text.utf8.count) }

  package static func fail(_ text: String, _ code: ExitCode) -> Never {
    write(STDERR_FILENO, text, text.utf8.count)
    exit(code.rawValue)
  }
}
