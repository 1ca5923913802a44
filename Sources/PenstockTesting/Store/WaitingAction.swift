package import PenstockCore

/// An action, or the end of an effect, that waits to be received.
package struct WaitingAction: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case send(cause: UInt64, index: UInt32)
    case output(EffectID, isFinal: Bool)
    case tick(EffectID, due: Int64)
    case end(EffectID)
  }

  package var kind: Kind
  package var path: Path
  package var payload: Bytes
  /// Order time at which it came to be.
  package var time: Int64
  package var correlation: UInt64

  package init(kind: Kind, path: Path, payload: Bytes, time: Int64, correlation: UInt64) {
    self.kind = kind
    self.path = path
    self.payload = payload
    self.time = time
    self.correlation = correlation
  }

  var effect: EffectID? {
    switch kind {
    case .send: nil
    case .output(let id, _), .tick(let id, _), .end(let id): id
    }
  }

  /// Whether the effect is over when this is received.
  func isLast(of effect: LivingEffect) -> Bool {
    switch kind {
    case .send: false
    case .output(_, let isFinal): isFinal
    case .tick:
      if case .timer(_, isRepeating: false, _) = effect.start.kind { true } else { false }
    case .end: true
    }
  }
}
