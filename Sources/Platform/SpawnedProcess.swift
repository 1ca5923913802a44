package import Glibc

/// A process that this one starts and ends. It holds a lifeline: it goes when this process goes.
package final class SpawnedProcess {
  package let processID: pid_t
  /// Its end is the lifeline's.
  private var lifeline: Int32 = -1
  private var status: Int32?

  /// - Parameters:
  ///   - log: the file that gets its standard error.
  ///   - output: the file that gets its standard output; nil is the log.
  ///   - hasLifeline: gives it `--lifeline-fd`.
  package init(
    _ executable: String, _ arguments: [String], log: String, output: String? = nil,
    hasLifeline: Bool = true
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log, flags, 0o600)
    if let output {
      posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 2, 1)
    }
    var arguments = [executable] + arguments
    var ends: [Int32] = [-1, -1]
    if hasLifeline {
      guard pipe(&ends) == 0 else { throw SystemError.last("no pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&actions, ends[0], 3)
      arguments += ["--lifeline-fd", "3"]
    }
    let list = arguments.map { strdup($0) } + [nil]
    defer { for text in list { free(text) } }
    // The calling thread may block signals, as those of a pool do; a process that is to be ended must not.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    let result = posix_spawn(&child, executable, &actions, &attributes, list, environ)
    if hasLifeline { close(ends[0]) }
    guard result == 0 else {
      if hasLifeline { close(ends[1]) }
      errno = result
      throw SystemError.last("can't start \(executable)")
    }
    processID = child
    lifeline = ends[1]
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      reap(0)
    }
    if lifeline >= 0 { close(lifeline) }
  }

  package func signal(_ number: Int32) { if status == nil { kill(processID, number) } }

  /// The exit code, or 128 and the signal that ended it; nil while it runs.
  package var exitCode: Int32? {
    if status == nil { reap(WNOHANG) }
    return status.map { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : 128 + ($0 & 0x7F) }
  }

  /// Waits for its end; after the time it is killed.
  @discardableResult package func wait(milliseconds: Int64) -> Int32 {
    let end = SystemClock.monotonic + milliseconds * 1000
    while true {
      if let exitCode { return exitCode }
      if SystemClock.monotonic > end { signal(SIGKILL) }
      usleep(2_000)
    }
  }

  private func reap(_ options: Int32) {
    var now: Int32 = 0
    var result = waitpid(processID, &now, options)
    while result < 0, errno == EINTR { result = waitpid(processID, &now, options) }
    if result == processID { status = now }
  }
}
