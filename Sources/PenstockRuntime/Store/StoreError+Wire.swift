import Penstock
import PenstockCore
import Processes
import Wire

extension StoreError {
  /// What a router refused.
  init(_ refusal: Refusal) {
    let code = Code(rawValue: refusal.code.word) ?? .refused
    self.init(
      code, code == .refused ? "\(refusal.code.word): \(refusal.message)" : refusal.message)
  }

  /// Why a connection ended.
  init(_ ended: ClientConnection.Ended) {
    if let refusal = ended.refusal {
      self.init(refusal)
    } else {
      self.init(.closed, "the connection is closed")
    }
  }

  /// An action that has a number, and was set aside under it.
  init(void reason: VoidReason, _ sequence: UInt64, _ path: Path) {
    let (code, text): (Code, String) =
      switch reason {
      case .poison: (.poison, "it ended its feature three times")
      case .undecodable: (.undecodable, "its feature could not read it")
      case .unavailable: (.unavailable, "a feature that it needs went down meanwhile")
      case .runaway: (.runaway, "its feature sends without end")
      case .skipped: (.skipped, "it was set aside by hand")
      case .tooLarge: (.tooLarge, "what its feature made of it exceeds a limit")
      }
    self.init(code, "action \(sequence) at \(path) was not applied: \(text)")
  }
}
