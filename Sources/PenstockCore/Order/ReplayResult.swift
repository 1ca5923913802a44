/// What the oracle derives from an order (R1, R3, R8, R14): what every run of it must agree with.
package struct ReplayResult: Sendable {
  /// The encoded state of the root after the last record.
  package var finalState: Bytes = []
  /// The encoded states after the records that were asked for.
  package var states: [UInt64: Bytes] = [:]
  /// The ends of the replay's beginnings, up to the records that were asked for.
  package var earlier: [UInt64: ReplayResult] = [:]
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
