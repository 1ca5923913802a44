/// The kinds of records of the tap; each has a counter of its own at the publisher.
package enum TapKind: String, Hashable, Sendable, CaseIterable {
  case action, effect, process, gap

  /// The first byte of the kind's topics.
  package var letter: UInt8 {
    switch self {
    case .action: UInt8(ascii: "a")
    case .effect: UInt8(ascii: "e")
    case .process: UInt8(ascii: "p")
    case .gap: UInt8(ascii: "g")
    }
  }
}

extension TapRecord {
  package var kind: TapKind {
    switch self {
    case .action: .action
    case .effect: .effect
    case .process: .process
    }
  }
}
