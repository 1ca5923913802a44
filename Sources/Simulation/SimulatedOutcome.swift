package import PenstockCore

/// What an operation yields in a simulation.
package struct SimulatedOutcome: Sendable {
  package var outputs: [Bytes]
  /// It fails after the outputs.
  package var fails: Bool
  /// One output, which ends it; otherwise a stream that ends by itself.
  package var isSingle: Bool

  /// The code with which an attempt fails that may be retried.
  static let retryable = "attempt-failed"

  package init(outputs: [Bytes], fails: Bool = false, isSingle: Bool = true) {
    self.outputs = outputs
    self.fails = fails
    self.isSingle = isSingle
  }
}
