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
