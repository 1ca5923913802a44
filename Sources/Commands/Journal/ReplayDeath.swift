import Glibc
import PenstockCore
import Platform

/// An application's process did not survive a record that it reduced, and what can be done about that.
struct ReplayDeath {
  var role: ApplicationRole.Replay
  var subject: ReplayProgress.Subject
  var record: OrderRecord?
  /// Whether the journal says that it was reduced when it was written.
  var isRetired: Bool
  /// 128 and the signal; nil when it was killed because it did not come back.
  var code: Int32?
  var patience: Duration
  /// What the process said of it.
  var words: String?

  private static let undecided =
    "The journal does not say that it was ever reduced: the system marks as poison what ends its "
    + "feature three times, and had not come to that."

  var failure: CommandFailure {
    guard let code else {
      return failure(
        .timedOut, "PS-V05",
        "the reducer did not come back from \(place) in "
          + Quantity.duration(microseconds: patience.microseconds),
        isRetired ? [] : [Self.undecided],
        "Try: --timeout DURATION for more time" + before(", or "))
    }
    let what = "the reducer \(Self.verb(code)) on \(place)"
    if isRetired, case .record = subject {
      return failure(
        role == .verify ? .negative : .refused, "PS-V03", what,
        ["The journal says that it was reduced when it was written: this build can't do that."],
        "Try: correct the reducer"
          + before("; penstock export -o swift-test ", " shows what led to it"))
    }
    return failure(
      .refused, "PS-V04", what, [Self.undecided],
      "Try: again when the system has gone on" + before(", or "))
  }

  private func failure(
    _ status: CommandFailure.Status, _ code: String, _ message: String, _ reasons: [String],
    _ action: String
  ) -> CommandFailure {
    var failure = CommandFailure(status, code, message)
    failure.details = (words.map { [$0] } ?? []) + reasons + [action]
    return failure
  }

  /// `record 42 (/left trap)`
  private var place: String {
    let number = "record \(subject.sequence)"
    let record = record.map { record in
      if case .initial = record.origin { return "\(number) (the first state)" }
      return "\(number) (\(record.path) \(JSONScan.caseText(of: record.payload) ?? ""))"
    }
    switch subject {
    case .record: return record ?? number
    case .consequence: return "what followed from \(record ?? number)"
    }
  }

  /// How to do without it; empty when nothing stands before it.
  private func before(_ start: String, _ end: String = "") -> String {
    subject.sequence > 1 ? "\(start)--through \(subject.sequence - 1)\(end)" : ""
  }

  private static func verb(_ code: Int32) -> String {
    [SIGILL, SIGTRAP].contains(code - 128) ? "trapped" : "was ended by signal \(code - 128)"
  }
}
