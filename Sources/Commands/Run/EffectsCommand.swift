import Machines
import Platform

/// `penstock effects`: what lives, what failed for good, and another start of one of those.
struct EffectsCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run(_ connection: RouterConnection) throws -> Int32 {
    guard let id = invocation.words.first else {
      guard !invocation.has("retry") else { throw Self.usage("--retry needs the id of an effect") }
      return try list(connection)
    }
    guard invocation.has("retry") else { throw Self.usage("an id stands with --retry only") }
    let body = JSONValue.object([.init(name: "effect", value: .string(id))]).compact
    let answer = try connection.request("retry", body)
    try output.write(
      invocation.isJSON ? answer.compact + "\n" : "\((answer["effect"].text ?? "?").printable)\n")
    return 0
  }

  private func list(_ connection: RouterConnection) throws -> Int32 {
    let isFailed = invocation.has("failed")
    let answer = try connection.request(isFailed ? "failed" : "effects")
    let text =
      isFailed
      ? EffectReport.failed(answer, isQuiet: output.isQuiet)
      : EffectReport.text(answer, isQuiet: output.isQuiet)
    try output.write(invocation.isJSON ? answer.compact + "\n" : text)
    return 0
  }

  private static func usage(_ message: String) -> CommandFailure {
    CommandFailure(.usage, "PS-A20", message, "penstock effects --failed lists them.")
  }
}
