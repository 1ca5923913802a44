import Glibc
import PenstockCore
import Platform

/// An application's executable, which plays one of its roles to the end.
struct ApplicationRole {
  /// The roles that reduce a journal's records.
  enum Replay: String { case verify, export }

  private let executable: String
  private let work: WorkDirectory
  /// How long a reducer may take for one record.
  private let patience: Duration

  init(_ executable: String, work: WorkDirectory, patience: Duration?) {
    self.executable = executable
    self.work = work
    self.patience = patience ?? .seconds(60)
  }

  /// What `describe` may take and print.
  private static let describing: Int64 = 5_000_000
  private static let limit: Int64 = 16 << 20

  /// The application's own name, by which directories are called.
  /// - Throws: `CommandFailure` when the executable is no application, as `Deploy/supervisor up` does.
  func name() throws -> String {
    let file = work.file("describe-\(SystemClock.monotonic)")
    let process = try SpawnedProcess(
      executable, ["describe"], log: work.file("log"), output: file, hasLifeline: false)
    let end = SystemClock.monotonic + Self.describing
    while process.exitCode == nil, SystemClock.monotonic < end, Self.size(file) <= Self.limit {
      usleep(2_000)
    }
    guard process.exitCode == 0, Self.size(file) <= Self.limit,
      let description = try? JSONValue(InputFile.read(file)),
      let name = description["name"].text, !name.isEmpty, !description["levels"].elements.isEmpty
    else {
      let file = executable.split(separator: "/").last.map(String.init) ?? executable
      throw CommandFailure(
        .usage, "PS-S06", "\(file) is no Penstock application",
        "`\(executable) describe` did not describe one within 5 s.",
        "Name an executable whose main is ApplicationMain.run")
    }
    return name
  }

  private static func size(_ path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : 0
  }

  /// - Returns: what it printed, also when it ended with code 1 (a negative answer).
  /// - Throws: `CommandFailure`, which names the record when its process died of one.
  func replay(_ role: Replay, of journal: String, _ options: [String]) throws -> Bytes {
    var passed: UInt64?
    while true {
      let page = work.file("page-\(SystemClock.monotonic)")
      let progress = try ReplayProgress(path: page)
      let ended = try run(
        [role.rawValue, "--journal", journal, "--progress", page] + options, progress)
      guard let subject = progress.subject, ended.isHung || ended.code > 128 else {
        return try ended.answer(of: executable)
      }
      let fate = try RecordFate(of: subject.sequence, in: journal)
      // A router that writes the journal set it aside meanwhile.
      if fate.mark != nil, case .record(let sequence) = subject, sequence > passed ?? 0 {
        passed = sequence
        continue
      }
      throw ReplayDeath(
        role: role, subject: subject, record: fate.record, isRetired: fate.isRetired,
        code: ended.isHung ? nil : ended.code, patience: patience, words: ended.lastWords
      ).failure
    }
  }

  /// - Parameter progress: what the process says of itself; it is killed when it says the same for too
  ///   long.
  private func run(_ arguments: [String], _ progress: ReplayProgress? = nil) throws -> Ended {
    let place = work.file("\(arguments[0])-\(SystemClock.monotonic)")
    let log = "\(place).log"
    let process = try SpawnedProcess(
      executable, arguments, log: log, output: place, hasLifeline: false)
    var (subject, since) = (progress?.subject, SystemClock.monotonic)
    var isHung = false
    while process.exitCode == nil {
      usleep(2_000)
      let now = SystemClock.monotonic
      if progress?.subject != subject { (subject, since) = (progress?.subject, now) }
      guard subject != nil, .microseconds(now - since) > patience else { continue }
      isHung = true
      process.signal(SIGKILL)
    }
    return Ended(
      role: arguments[0], code: process.exitCode ?? 0, isHung: isHung,
      output: try InputFile.read(place),
      errors: String(decoding: try InputFile.read(log), as: UTF8.self))
  }
}

/// How a role ended.
private struct Ended {
  var role: String
  /// 128 and the signal that ended it.
  var code: Int32
  var isHung: Bool
  var output: Bytes
  var errors: String

  func answer(of executable: String) throws(CommandFailure) -> Bytes {
    guard code == 0 || (code == 1 && !output.isEmpty) else {
      throw CommandFailure(
        code == 7 ? .mismatch : .refused, "PS-V02",
        "\(executable) \(role) ended with code \(code)", errors)
    }
    return output
  }

  /// What a trap says, without the backtrace.
  var lastWords: String? {
    errors.split(separator: "\n").first { $0.contains("atal error") }.map(String.init)
  }
}
