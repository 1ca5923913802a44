/// Where a record of the order comes from (R1).
public enum Origin: Hashable, Sendable {
  /// Record 0: the root's initial state.
  case initial
  case client(session: UInt64, sequence: UInt64)
  /// The index-th send of the transition at `cause`.
  case send(cause: UInt64, index: UInt32)
  /// The index-th output of an effect; `isFinal` ends the effect in the same record.
  case output(effect: EffectID, index: UInt32, isFinal: Bool)
  /// An effect ended without a further output.
  case end(effect: EffectID)
  /// A timer was due; `due` is order time in microseconds since 1970.
  case timer(effect: EffectID, due: Int64)
  /// An effect that failed for good is started once more, as another effect, because somebody asked.
  case retry(effect: EffectID)
}
