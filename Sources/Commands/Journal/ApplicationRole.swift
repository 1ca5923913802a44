import PenstockCore
import Platform

/// An application's executable, which plays one of its roles to the end.
struct ApplicationRole {
  private let executable: String
  private let work: WorkDirectory

  init(_ executable: String, work: WorkDirectory) {
    self.executable = executable
    self.work = work
  }

  /// The journal where the supervisor keeps it.
  func journal() throws -> String {
    let description = try JSONValue(outputs(["describe"]))
    return StateDirectory.standard(application: description["name"].text ?? "").journal
  }

  /// - Returns: what it printed, also when it ended with code 1 (a negative answer).
  func outputs(_ arguments: [String]) throws -> Bytes {
    let file = work.file("output-\(SystemClock.monotonic)")
    let log = work.file("log")
    let process = try SpawnedProcess(
      executable, arguments, log: log, output: file, hasLifeline: false)
    let code = process.wait(milliseconds: 3_600_000)
    let text = try InputFile.read(file)
    guard code == 0 || (code == 1 && !text.isEmpty) else {
      let reason = String(decoding: try InputFile.read(log), as: UTF8.self)
      throw CommandFailure(
        code == 7 ? .mismatch : .refused, "PS-V02",
        "\(executable) \(arguments[0]) ended with code \(code)", reason)
    }
    return text
  }
}
