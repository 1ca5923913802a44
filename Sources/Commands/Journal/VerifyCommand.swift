import Glibc
import PenstockCore
import Platform

/// `penstock verify`: whether a build of an application still does what a journal says.
struct VerifyCommand {
  private let invocation: Invocation
  private let output: Output

  /// Differences that are printed.
  private static let limit = 20

  init(_ invocation: Invocation, _ output: Output) {
    self.invocation = invocation
    self.output = output
  }

  func run() throws -> Int32 {
    let application = try Executable.find(invocation.words[0])
    let work = try WorkDirectory()
    let name = try role(application, work).name()
    let journal =
      invocation.words.count > 1
      ? invocation.words[1] : StateDirectory.standard(application: name).journal
    let through = try invocation.number("through").map { ["--through", "\($0)"] } ?? []
    var report = try replay(application, journal, through, work)
    var isExact = report["difference"]["what"].text == "order"
    if report["difference"] != .null, !isExact, let old = invocation.value("against") {
      let old = try Executable.find(old)
      _ = try role(old, work).name()
      report = try narrow(report, application, old, journal, work)
      isExact = true
    }
    if invocation.isJSON {
      try output.write(report.compact + "\n")
    } else {
      try output.write(
        VerifyReport(report, journal: journal, isExact: isExact, limit: Self.limit).text)
    }
    return report["difference"] == .null ? 0 : CommandFailure.Status.negative.rawValue
  }

  /// Between two checkpoints: both builds reduce the records there, one after the other.
  private func narrow(
    _ report: JSONValue, _ new: String, _ old: String, _ journal: String, _ work: WorkDirectory
  ) throws -> JSONValue {
    let from = report["equal_through"].integer ?? 0
    let through = report["difference"]["sequence"].integer ?? 0
    let range = ["--from", "\(from)", "--through", "\(through)", "--trace"]
    let lines = try [old, new].map { build in
      try role(build, work).replay(.verify, of: journal, range)
        .split(separator: UInt8(ascii: "\n")).dropLast()
    }
    guard let place = zip(lines[0], lines[1]).first(where: { $0 != $1 }),
      let sequence = Int64(String(decoding: place.0.prefix { $0 != 0x20 }, as: UTF8.self))
    else {
      throw CommandFailure(
        .negative, "PS-V01", "both builds do the same, and not what the journal says",
        "\(old) is not the build that wrote records \(from + 1) to \(through).")
    }
    let at = ["--from", "\(from)", "--through", "\(sequence)"]
    let states = try [old, new].map { try replay($0, journal, at, work)["state"] }
    let message = "the state is another one"
    let isState = states[0] != states[1]
    return report.replacing(
      "difference",
      with: .object([
        .init(name: "sequence", value: .number("\(sequence)")),
        .init(name: "what", value: .string(isState ? "state" : "effects")),
        .init(name: "message", value: .string(isState ? message : "it has other effects")),
        .init(
          name: "recorded",
          value: isState ? states[0] : .string(String(decoding: place.0, as: UTF8.self))),
        .init(
          name: "replayed",
          value: isState ? states[1] : .string(String(decoding: place.1, as: UTF8.self))),
      ]))
  }

  private func replay(
    _ application: String, _ journal: String, _ options: [String], _ work: WorkDirectory
  ) throws -> JSONValue {
    try JSONValue(role(application, work).replay(.verify, of: journal, options))
  }

  private func role(_ executable: String, _ work: WorkDirectory) throws -> ApplicationRole {
    ApplicationRole(executable, work: work, patience: try invocation.duration("timeout"))
  }
}
