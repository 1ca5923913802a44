package import Machines

extension WindowPolicy {
  /// As it is typed: a number from 1 to 100000, or `adaptive`.
  package init?(word: String) {
    if word == "adaptive" {
      self = .adaptive(bound: 1_024)
    } else if let number = Int(word), (1...100_000).contains(number) {
      self = .fixed(number)
    } else {
      return nil
    }
  }

  package var word: String {
    switch self {
    case .fixed(let number): "\(number)"
    case .adaptive: "adaptive"
    }
  }
}
