import Platform
import Processes

let command = RouterProcess.command
ProcessMain.run(command, Array(CommandLine.arguments.dropFirst())) { arguments in
  if arguments["--app"] == nil, arguments["--run-dir"] == nil {
    throw UsageError(
      "the router needs to know where it lives: --app or --run-dir is missing", command.usage)
  }
  let options = try RouterProcess.Options(arguments, application: arguments["--app"] ?? "")
  return RouterProcess.run(
    options, supervision: try arguments.supervision(), log: Log(name: "router"))
}
