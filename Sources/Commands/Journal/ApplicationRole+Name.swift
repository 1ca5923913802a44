import Glibc
import PenstockCore
import Platform

extension ApplicationRole {
  /// What `describe` may take, in microseconds, and print, in bytes.
  private static let describing: Int64 = 5_000_000
  private static let limit: Int64 = 16 << 20

  /// The application's own name, by which directories are called.
  /// - Throws: `CommandFailure` that says why the executable did not tell it, as `Deploy/supervisor up`
  ///   does.
  func name() throws -> String {
    let end: RoleEnd
    do { end = try describe() } catch let error as SystemError {
      throw unnamed("\(error)")
    }
    guard !end.isHung else { throw overdue(end) }
    guard end.code == 0 else {
      throw unnamed("`\(executable) describe` \(end.fate).", end.lastWords)
    }
    guard let description = try? JSONValue(end.output), let name = description["name"].text,
      !name.isEmpty, !description["levels"].elements.isEmpty
    else {
      throw unnamed(
        "`\(executable) describe` ended with code 0, and printed no description.", end.lastWords)
    }
    return name
  }

  private func describe() throws -> RoleEnd {
    let end = SystemClock.monotonic + Self.describing
    return try run(["describe"]) { output, errors in
      SystemClock.monotonic > end || Self.size(output) + Self.size(errors) > Self.limit
    }
  }

  /// Why it was killed.
  private func overdue(_ end: RoleEnd) -> CommandFailure {
    guard end.output.count + end.errors.utf8.count <= Self.limit else {
      return unnamed("`\(executable) describe` printed more than \(Self.limit) bytes.")
    }
    var failure = unnamed(
      "`\(executable) describe` was still at work after 5 s, and was ended.", end.lastWords,
      "Try: again when the machine is less busy")
    failure.status = .timedOut
    failure.message = "\(file) did not describe itself in time"
    return failure
  }

  private func unnamed(
    _ reason: String, _ words: String? = nil,
    _ action: String = "Name an executable whose main is ApplicationMain.run"
  ) -> CommandFailure {
    var failure = CommandFailure(.usage, "PS-S06", "\(file) is no Penstock application")
    failure.details = [reason] + (words.map { ["It said: \($0)"] } ?? []) + [action]
    return failure
  }

  private var file: String {
    executable.split(separator: "/").last.map(String.init) ?? executable
  }

  private static func size(_ path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : 0
  }
}
