import Platform
import Processes
import ZeroMQ

let command = ProcessCommand(
  name: "penstock-bench",
  summary: "Submits actions to a running system and measures throughput and latency.",
  options: [
    .init("--run-dir", "DIR", "where the system lives"),
    .init("--path", "PATH", "whom the actions are for; default /"),
    .init("--action", "JSON", "what is submitted"),
    .init("--messages", "N", "how many actions; default 100000"),
    .init("--in-flight", "N", "how many are on their way at a time; default 1000"),
    .init("--seconds", "N", "give up after this time; default 60"),
  ])

ProcessMain.run(command, Array(CommandLine.arguments.dropFirst())) { arguments in
  guard let directory = arguments["--run-dir"], let action = arguments["--action"] else {
    throw UsageError("--run-dir and --action are needed", command.usage)
  }
  let endpoint = try Endpoint(path: RunDirectory(path: directory).routerSocket)
  let measurement = LoadMeasurement(
    action: .init(
      path: try arguments.path(arguments["--path"] ?? "/"), payload: Array(action.utf8)),
    count: try arguments.number("--messages", in: 1...100_000_000) ?? 100_000,
    inFlight: try arguments.number("--in-flight", in: 1...1_000_000) ?? 1_000,
    seconds: try arguments.number("--seconds", in: 1...86_400) ?? 60)
  let connection = ClientConnection(endpoint: endpoint, name: "bench")
  let result = measurement.run(connection)
  connection.close()
  ProcessMain.print(result.json + "\n")
  return result.isComplete ? .done : .failed
}
