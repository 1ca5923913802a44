/// Starts and cancels apply in listed order (R14).
public enum EffectCommand: Hashable, Sendable {
  case start(EffectStart)
  /// Cancels what stands before it, started at `path` or below it, under the id.
  case cancel(path: Path, id: CancelID)
}
