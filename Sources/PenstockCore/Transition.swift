/// An action that a transition sends, already addressed canonically.
public struct Send: Hashable, Sendable {
  public var path: Path
  public var payload: Bytes

  public init(path: Path, payload: Bytes) {
    self.path = path
    self.payload = payload
  }
}

/// A dynamic mount (optional, case, element) whose identity a stage changed. `nil` is "not mounted".
///
/// A transition lists them by level, lowest first, and within a level by path; a path may occur more
/// than once. Over all stages of a record the first `before` and the last `after` count. What lies
/// below a mount that changed is listed too and is mounted anew, even with the same identity.
public struct MountChange: Hashable, Sendable {
  public var path: Path
  public var before: String?
  public var after: String?

  public init(path: Path, before: String?, after: String?) {
    self.path = path
    self.before = before
    self.after = after
  }
}

/// (declared name, canonical value). It belongs to the path of the reducer that used it.
public struct CancelID: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// Retries, time-outs and the worker queue of an operation. Times are microseconds; nil is "none".
public struct EffectPolicy: Hashable, Sendable {
  public var queue: String = "default"
  /// How often the operation is tried in all.
  public var maximumAttempts: UInt32 = 1
  public var initialBackoff: Int64 = 500_000
  /// The backoff doubles up to this.
  public var maximumBackoff: Int64 = 30_000_000
  /// Start to close of one attempt.
  public var timeout: Int64?
  /// The longest pause between two heartbeats of one attempt.
  public var heartbeatTimeout: Int64?

  public init() {}
}

/// How an operation's output becomes an action of its owner: `{"response":{"success":OUT}}`.
public struct OutputCase: Hashable, Sendable {
  /// Wire names of the cases around the output, outermost first.
  public var cases: [String]
  /// True when the innermost case holds an `Outcome`, so that failures arrive there too.
  public var isOutcome: Bool

  public init(cases: [String], isOutcome: Bool) {
    self.cases = cases
    self.isOutcome = isOutcome
  }
}

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

/// Starts and cancels apply in listed order (R14).
public enum EffectCommand: Hashable, Sendable {
  case start(EffectStart)
  /// Cancels what stands before it, started at `path` or below it, under the id.
  case cancel(path: Path, id: CancelID)
}

/// What a stage did: everything that follows from reducing one record at one node.
public struct Transition: Hashable, Sendable {
  /// Changes of the node's whole state tree, mirrors of placed children included, from the node.
  public var patch = Patch()
  public var mounts: [MountChange] = []
  /// In written order, a child's before its parent's.
  public var sends: [Send] = []
  public var effects: [EffectCommand] = []
  /// Human sentences about a missing integration (a child action while the child is absent, …).
  public var diagnostics: [String] = []

  public init() {}
}
