import CSystem
package import Glibc

/// A real process of one of the package's executables (or any other), which is killed when this value
/// goes away.
package final class ChildProcess {
  package let processID: pid_t
  private let outputPath: String
  private let errorPath: String
  private let directory = TemporaryDirectory()
  private var status: Int32?

  /// - Parameter executable: an absolute path, or the name of an executable of this package.
  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    let path =
      executable.hasPrefix("/")
      ? executable : "\(ChildProcess.productsDirectory)/\(executable)"
    outputPath = directory.file("stdout")
    errorPath = directory.file("stderr")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, flags, 0o600)
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    // A process that is told to trap is gone at once; the backtrace of a debug build takes seconds.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables.merge(environment) { $1 }
    let environmentList = variables.map { strdup("\($0)=\($1)") } + [nil]
    let argumentList = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for text in environmentList + argumentList { free(text) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, path, &actions, nil, argumentList, environmentList)
    guard result == 0 else { throw SpawnError(path: path, code: result) }
    processID = child
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
  }

  package struct SpawnError: Error {
    package var path: String
    package var code: Int32
  }

  package func signal(_ number: Int32) { kill(processID, number) }

  package var output: String { ChildProcess.contents(of: outputPath) }
  package var errors: String { ChildProcess.contents(of: errorPath) }

  /// How it ended, as a shell says it: the exit code, or 128 + the signal. nil after the time.
  package func exitCode(within seconds: Double = 10) -> Int32? {
    let hasEnded = eventually(within: seconds) {
      if status != nil { return true }
      var now: Int32 = 0
      guard waitpid(processID, &now, WNOHANG) == processID else { return false }
      status = now
      return true
    }
    guard hasEnded, let status else { return nil }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  package var isRunning: Bool { exitCode(within: 0) == nil }

  /// Where the executables of this build are.
  package static var productsDirectory: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }

  package static func contents(of path: String) -> String {
    String(decoding: bytes(of: path) ?? [], as: UTF8.self)
  }

  /// - Returns: nil when it can't be opened.
  package static func bytes(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
