/// An effect as a value: what a reducer asked to be started.
public struct EffectStart: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Runs in a worker. `name` is the operation's wire name, `input` its encoding.
    case operation(name: String, input: Bytes, output: OutputCase, policy: EffectPolicy)
    /// Sends `payload` to the owner after (or, repeating, after every) `interval` microseconds.
    case timer(interval: Int64, isRepeating: Bool, payload: Bytes)
  }

  /// The owner: outputs are actions at this path.
  public var path: Path
  public var kind: Kind
  public var cancelIDs: [CancelID]

  public init(path: Path, kind: Kind, cancelIDs: [CancelID] = []) {
    self.path = path
    self.kind = kind
    self.cancelIDs = cancelIDs
  }
}
