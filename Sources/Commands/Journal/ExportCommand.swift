import Glibc
import PenstockCore
import Platform

/// `penstock export`: a stretch of an application's order as the source of a test.
struct ExportCommand {
  private let invocation: Invocation
  private let output: Output

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    guard let format = invocation.value("output") else {
      throw CommandFailure(.usage, "PS-E01", "no format is named", "Say -o swift-test")
    }
    let application = try Executable.find(invocation.words[0])
    let role = ApplicationRole(
      application, work: try WorkDirectory(), patience: try invocation.duration("timeout"))
    let journal = try invocation.words.count > 1 ? invocation.words[1] : role.journal()
    var arguments = ["--format", format]
    for bound in ["from", "through"] {
      if let number = try invocation.number(bound) { arguments += ["--\(bound)", "\(number)"] }
    }
    let source = try role.replay(.export, of: journal, arguments)
    try output.write(String(decoding: source, as: UTF8.self))
    return 0
  }
}
