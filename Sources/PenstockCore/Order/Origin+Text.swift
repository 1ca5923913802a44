/// Origins as they stand in a journal and in the tap: words that a person can read and search.
extension Origin {
  package var text: String {
    switch self {
    case .initial: "initial"
    case .client(let session, let sequence): "client \(session) \(sequence)"
    case .send(let cause, let index): "send \(cause) \(index)"
    case .output(let effect, let index, let isFinal):
      "\(isFinal ? "final" : "output") \(index) \(effect)"
    case .end(let effect): "end \(effect)"
    case .timer(let effect, let due): "timer \(due) \(effect)"
    case .retry(let effect): "retry \(effect)"
    }
  }

  package init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    func number<Number: FixedWidthInteger>(_ index: Int) -> Number? {
      parts.indices.contains(index) ? Number(parts[index]) : nil
    }
    switch parts.first {
    case "initial": self = .initial
    case "client":
      guard let session: UInt64 = number(1), let sequence: UInt64 = number(2) else { return nil }
      self = .client(session: session, sequence: sequence)
    case "send":
      guard let cause: UInt64 = number(1), let index: UInt32 = number(2) else { return nil }
      self = .send(cause: cause, index: index)
    case "output", "final":
      guard let index: UInt32 = number(1), parts.count == 3,
        let effect = EffectID(text: parts[2])
      else { return nil }
      self = .output(effect: effect, index: index, isFinal: parts[0] == "final")
    case "end":
      guard let effect = EffectID(text: text.dropFirst(4)) else { return nil }
      self = .end(effect: effect)
    case "timer":
      guard let due: Int64 = number(1), parts.count == 3, let effect = EffectID(text: parts[2])
      else { return nil }
      self = .timer(effect: effect, due: due)
    case "retry":
      guard let effect = EffectID(text: text.dropFirst(6)) else { return nil }
      self = .retry(effect: effect)
    default: return nil
    }
  }
}

extension EffectID {
  /// Reads `48213/targets#0`.
  package init?(text: Substring) {
    guard let slash = text.firstIndex(of: "/"), let hash = text.lastIndex(of: "#"),
      slash < hash, let sequence = UInt64(text[..<slash]),
      let index = UInt32(text[text.index(after: hash)...]),
      let path = Path(String(text[slash..<hash]))
    else { return nil }
    self.init(sequence: sequence, path: path, index: index)
  }
}
