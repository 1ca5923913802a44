import Machines
import PenstockCore
import Wire

/// What became of an action that was sent, as a row.
struct OutcomeRow {
  private let sequence: UInt64?
  private let status: String
  /// Why it did not simply apply.
  private let flag: String?
  /// What the command ends with.
  let code: Int32

  init(_ status: ClientOutcome.Status) {
    switch status {
    case .committed(let sequence, let isUnmounted):
      self.init(sequence, "committed", isUnmounted ? "unmounted" : nil, 0)
    case .void(let sequence, let reason):
      self.init(sequence, "void", reason.word, CommandFailure.Status.negative.rawValue)
    case .refused(let refusal):
      self.init(nil, "refused", refusal.code.word, CommandFailure.Status.refused.rawValue)
    }
  }

  private init(_ sequence: UInt64?, _ status: String, _ flag: String?, _ code: Int32) {
    self.sequence = sequence
    self.status = status
    self.flag = flag
    self.code = code
  }

  /// What to do about an action that its feature could not read; nil when there is nothing to say.
  func remark(path: String) -> String? {
    guard flag == VoidReason.undecodable.word else { return nil }
    return "  The feature at \(path) has no case of this name, or the case has another value.\n"
      + "  The tap says which: run penstock tap \(path) beside this, and send it again.\n"
  }

  /// - Parameter line: the line of the input, where there are several.
  func text(isJSON: Bool, line: Int? = nil) -> String {
    let number = sequence.map { "\($0)" }
    if isJSON {
      let place = line.map { "\"line\":\($0)," } ?? ""
      let reason = flag.map { "\"\($0)\"" } ?? "null"
      return "{\"v\":1,\(place)\"seq\":\(number ?? "null"),\"status\":\"\(status)\","
        + "\"flag\":\(reason)}\n"
    }
    let place = line.map { "\($0) " } ?? ""
    return "\(place)\(number ?? "-") \(status)\(flag.map { " (\($0))" } ?? "")\n"
  }
}
