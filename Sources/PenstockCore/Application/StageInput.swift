/// What a stage is given besides the state.
package struct StageInput: Sendable {
  package var sequence: UInt64
  package var path: Path
  package var payload: Bytes
  package var now: Int64
  package var seed: UInt64
  /// The reducers' logger is silent when this is set (speculative or replayed runs).
  package var isQuiet: Bool
  /// Whether `Transition.patch` must hold every change; writes to placed children are always there.
  package var wantsPatch: Bool
  /// What this stage reads of other processes' features, as of the record before (R15).
  package var shared: [SharedReading]

  package init(
    sequence: UInt64, path: Path, payload: Bytes, now: Int64, seed: UInt64, isQuiet: Bool = false,
    wantsPatch: Bool = true, shared: [SharedReading] = []
  ) {
    self.sequence = sequence
    self.path = path
    self.payload = payload
    self.now = now
    self.seed = seed
    self.isQuiet = isQuiet
    self.wantsPatch = wantsPatch
    self.shared = shared
  }
}
