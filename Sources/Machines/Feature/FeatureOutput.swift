package import Wire

/// What a feature's machine wants done.
package enum FeatureOutput: Sendable {
  case send(Message)
  /// The process can't go on: router and feature disagree. It ends and starts afresh.
  case stop(String)
  /// The journal's states are of another schema, and the application can't migrate them; it ends.
  case mismatch(String)
}
