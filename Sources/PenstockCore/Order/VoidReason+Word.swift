/// Reasons as they stand in a journal, in reports and in the tap.
extension VoidReason {
  package var word: String {
    switch self {
    case .poison: "poison"
    case .undecodable: "undecodable"
    case .unavailable: "unavailable"
    case .runaway: "runaway"
    case .skipped: "skipped"
    case .tooLarge: "too-large"
    }
  }

  package init?(word: String) {
    guard let reason = VoidReason.allCases.first(where: { $0.word == word }) else { return nil }
    self = reason
  }
}
