import Machines

extension Invocation {
  /// How far features run ahead of a parent that writes to them: a number, or adaptive.
  func window() throws(CommandFailure) -> WindowPolicy? {
    guard let text = value("window") else { return nil }
    if text == "adaptive" { return .adaptive(bound: 1_024) }
    guard let number = Int(text), (1...100_000).contains(number) else {
      throw CommandFailure(
        .usage, "PS-A16", "--window takes a number from 1 to 100000 or adaptive, not \"\(text)\"")
    }
    return .fixed(number)
  }
}

extension WindowPolicy {
  /// As it is typed.
  var word: String {
    switch self {
    case .fixed(let number): "\(number)"
    case .adaptive: "adaptive"
    }
  }
}
