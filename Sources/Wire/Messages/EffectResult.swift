/// How an attempt ended when it did not end with a final output.
package enum EffectResult: Hashable, Sendable {
  /// A stream ended.
  case finished
  case failed(code: String, message: String, isRetryable: Bool)
  /// The operation cancelled itself: it ends, and nothing comes of it.
  case cancelled
  /// Not started, or given up by a draining worker: another one may have it.
  case handedBack
}
