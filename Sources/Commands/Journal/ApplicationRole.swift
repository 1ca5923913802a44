import Glibc
import PenstockCore
import Platform

/// An application's executable, which plays one of its roles to the end.
struct ApplicationRole {
  /// The roles that reduce a journal's records.
  enum Replay: String { case verify, export }

  let executable: String
  private let work: WorkDirectory
  /// How long a reducer may take for one record.
  private let patience: Duration

  init(_ executable: String, work: WorkDirectory, patience: Duration?) {
    self.executable = executable
    self.work = work
    self.patience = patience ?? .seconds(60)
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
      guard let subject = progress.subject, ended.isOfReducer else {
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
        code: ended.isHung ? nil : ended.code, patience: patience, words: ended.trapWords
      ).failure
    }
  }

  /// - Parameter progress: what the process says of itself; it is killed when it says the same for too
  ///   long.
  private func run(_ arguments: [String], _ progress: ReplayProgress) throws -> RoleEnd {
    var (subject, since) = (progress.subject, SystemClock.monotonic)
    return try run(arguments) { _, _ in
      let now = SystemClock.monotonic
      if progress.subject != subject { (subject, since) = (progress.subject, now) }
      return subject != nil && .microseconds(now - since) > patience
    }
  }

  /// - Parameter isTooLong: asked while it runs, with the files of its output and its errors; then it is
  ///   killed.
  func run(_ arguments: [String], until isTooLong: (String, String) -> Bool) throws -> RoleEnd {
    let place = work.file("\(arguments[0])-\(SystemClock.monotonic)")
    let log = "\(place).log"
    let process = try SpawnedProcess(
      executable, arguments, log: log, output: place, hasLifeline: false)
    var isKilled = false
    while process.exitCode == nil {
      usleep(2_000)
      guard !isKilled, isTooLong(place, log) else { continue }
      isKilled = true
      process.signal(SIGKILL)
    }
    let code = process.exitCode ?? 0
    return RoleEnd(
      role: arguments[0], code: code, isHung: isKilled && code == 128 + SIGKILL,
      output: try InputFile.read(place),
      errors: String(decoding: try InputFile.read(log), as: UTF8.self))
  }
}
