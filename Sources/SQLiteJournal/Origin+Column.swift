import Machines
import PenstockCore

/// Origins as they stand in the table: words that a person can read and search.
extension Origin {
  var column: String {
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

  init?(column: String) {
    let parts = column.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
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
        let effect = EffectID(column: parts[2])
      else { return nil }
      self = .output(effect: effect, index: index, isFinal: parts[0] == "final")
    case "end":
      guard let effect = EffectID(column: column.dropFirst(4)) else { return nil }
      self = .end(effect: effect)
    case "timer":
      guard let due: Int64 = number(1), parts.count == 3, let effect = EffectID(column: parts[2])
      else { return nil }
      self = .timer(effect: effect, due: due)
    case "retry":
      guard let effect = EffectID(column: column.dropFirst(6)) else { return nil }
      self = .retry(effect: effect)
    default: return nil
    }
  }
}

extension EffectID {
  /// Reads `48213/targets#0`.
  init?(column: Substring) {
    guard let slash = column.firstIndex(of: "/"), let hash = column.lastIndex(of: "#"),
      slash < hash, let sequence = UInt64(column[..<slash]),
      let index = UInt32(column[column.index(after: hash)...]),
      let path = Path(String(column[slash..<hash]))
    else { return nil }
    self.init(sequence: sequence, path: path, index: index)
  }
}

extension VoidReason {
  init?(column: String) {
    guard let reason = VoidReason.allCases.first(where: { $0.word == column }) else { return nil }
    self = reason
  }
}

/// Origins as column texts, into memory that is used again. Clients' come in runs of one session.
struct OriginText {
  private(set) var text: Bytes = []
  private var session: UInt64?
  private var prefix = 0

  mutating func write(_ origin: Origin) {
    guard case .client(let session, let sequence) = origin else {
      self.session = nil
      text = Bytes(origin.column.utf8)
      return
    }
    if session == self.session {
      text.removeSubrange(prefix...)
    } else {
      self.session = session
      text = Bytes("client \(session) ".utf8)
      prefix = text.count
    }
    append(sequence)
  }

  private mutating func append(_ number: UInt64) {
    let start = text.count
    var rest = number
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    text[start...].reverse()
  }
}
