import Glibc
import PenstockCore

/// How the process of a role ended.
struct RoleEnd {
  var role: String
  /// The exit code, or 128 and the signal that ended it.
  var code: Int32
  /// It was killed because it took too long.
  var isHung: Bool
  var output: Bytes
  var errors: String

  /// The signals that a process draws on itself by what it does. All others come from outside.
  private static let own = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

  /// Whether the end says something of what was reduced.
  var isOfReducer: Bool { isHung || Self.own.contains(code - 128) }

  /// `ended with code 3`, `was ended by signal 9`
  var fate: String {
    isBySignal ? "was ended by signal \(code - 128)" : "ended with code \(code)"
  }

  private var isBySignal: Bool { (129...192).contains(code) }

  /// - Returns: what it printed, also when it ended with code 1 (a negative answer).
  func answer(of executable: String) throws(CommandFailure) -> Bytes {
    guard code == 0 || (code == 1 && !output.isEmpty) else {
      var failure = CommandFailure(
        code == 7 ? .mismatch : .refused, "PS-V02", "\(executable) \(role) \(fate)")
      let words = errors.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      failure.details += words.reversed().drop { $0.isEmpty }.reversed().map(String.init)
      if isBySignal, !isOfReducer {
        failure.details += [
          "Something outside ended it: somebody, or the system when memory ran out.", "Try: again",
        ]
      }
      throw failure
    }
    return output
  }

  /// What a trap says, without the backtrace.
  var trapWords: String? {
    errors.split(separator: "\n").first { $0.contains("atal error") }.map(String.init)
  }

  /// The last that it said.
  var lastWords: String? {
    errors.split(whereSeparator: \.isNewline).last.map(String.init)
  }
}
