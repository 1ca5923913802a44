/// `penstock ready`: asks until everything is there.
struct ReadyCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    var members: [JSONValue.Member] = []
    let features = invocation.values("feature")
    if !features.isEmpty {
      members.append(.init(name: "features", value: .array(features.map(JSONValue.string))))
    }
    if let workers = try invocation.number("workers", orZero: true) {
      members.append(.init(name: "workers", value: .number("\(workers)")))
    }
    let question = JSONValue.object(members).compact
    var last: JSONValue?
    while true {
      do {
        let answer = try connection.request("ready", question)
        if answer["ready"].isTrue {
          if invocation.isJSON {
            try output.write(answer.compact + "\n")
          } else if !output.isQuiet {
            try output.write("ready\n")
          }
          return 0
        }
        last = answer
        // Whatever else arrives within this time is of no interest here.
        _ = try connection.poll(milliseconds: 50)
      } catch let failure as CommandFailure where failure.status == .timedOut {
        guard let last else { throw failure }
        if invocation.isJSON { try output.write(last.compact + "\n") }
        throw timedOut(last)
      }
    }
  }

  private func timedOut(_ answer: JSONValue) -> CommandFailure {
    var failure = CommandFailure(.timedOut, "PS-T01", "not ready in time")
    failure.details = ReadyReport.missing(answer) + ["See: penstock ps"]
    return failure
  }
}
