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
      self.init(sequence, "committed", isUnmounted ? Self.unmounted : nil, 0)
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

  /// What the flag means for who sent the action; nil when there is nothing to say.
  func remark(path: String) -> String? {
    switch flag {
    case VoidReason.undecodable.word:
      "  The feature at \(path) has no case of this name, or the case has another value.\n"
    case Self.unmounted:
      "  Nothing was mounted at \(path) when it applied: only features above it saw the action.\n"
    default: nil
    }
  }

  private static var unmounted: String { "unmounted" }

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
