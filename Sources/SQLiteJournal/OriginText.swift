import PenstockCore

/// Origins as column texts, into memory that is used again. Clients' come in runs of one session.
struct OriginText {
  private(set) var text: Bytes = []
  private var session: UInt64?
  private var prefix = 0

  mutating func write(_ origin: Origin) {
    guard case .client(let session, let sequence) = origin else {
      self.session = nil
      text = Bytes(origin.text.utf8)
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
