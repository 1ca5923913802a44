/// How a process ends; the same numbers as those of the command line.
package enum ExitCode: Int32, Hashable, Sendable {
  case done = 0
  case failed = 1
  case usage = 2
  /// Taken by another process, not permitted, not possible here.
  case refused = 6
  /// Protocol, schema or application do not match.
  case mismatch = 7
}
