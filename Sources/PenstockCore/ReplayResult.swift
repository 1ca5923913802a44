/// What the oracle derives from an order (R1, R3, R8, R14): what every run of it must agree with.
package struct ReplayResult: Sendable {
  /// The encoded state of the root after the last record.
  package var finalState: Bytes = []
  /// The encoded states after the records that were asked for.
  package var states: [UInt64: Bytes] = [:]
  package var livingEffects: [EffectID: EffectStart] = [:]
  /// Records that did not apply, marked or because their effect was not alive (R3).
  package var voids: [UInt64] = []
  /// Records that met a missing mount on the way to their path.
  package var unmounted: [UInt64] = []
  /// Sends that no record has taken yet, in their order.
  package var unconsumedSends: [UnconsumedSend] = []
  package var mounts: [Path: Generation] = [:]
  package var divergence: Divergence?

  package init() {}
}

/// A send of a transition whose record has not come yet.
package struct UnconsumedSend: Hashable, Sendable {
  package var cause: UInt64
  package var index: UInt32
  package var send: Send

  package init(cause: UInt64, index: UInt32, send: Send) {
    self.cause = cause
    self.index = index
    self.send = send
  }
}

/// The first record that does not follow from those before it.
package struct Divergence: Error, Hashable, Sendable, CustomStringConvertible {
  package var sequence: UInt64
  /// A sentence.
  package var message: String

  package init(sequence: UInt64, message: String) {
    self.sequence = sequence
    self.message = message
  }

  package var description: String { "Record \(sequence): \(message)" }
}
