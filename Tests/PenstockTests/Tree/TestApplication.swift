package import Penstock

/// An application for random runs: its program, and what clients and workers do with it.
package struct TestApplication: Sendable {
  package var program: any ApplicationProgram
  /// Sets of scopes that can be placed, from all in one process to each in one of its own.
  package var placements: [[Path]]
  private let makeAction: @Sendable (UInt64) -> (Path, Bytes)
  private let results: @Sendable (String, Bytes) -> OperationResult

  /// What a worker makes of an operation.
  package struct OperationResult: Sendable {
    /// Encoded, in order, without the cases around them.
    package var outputs: [Bytes]
    /// Set when the operation fails after its outputs.
    package var failure: Failure?

    package init(outputs: [Bytes], failure: Failure? = nil) {
      self.outputs = outputs
      self.failure = failure
    }
  }

  init(
    program: any ApplicationProgram, placements: [[Path]],
    makeAction: @escaping @Sendable (UInt64) -> (Path, Bytes),
    results: @escaping @Sendable (String, Bytes) -> OperationResult
  ) {
    self.program = program
    self.placements = placements
    self.makeAction = makeAction
    self.results = results
  }

  /// An action that a client might send; some go to what is not mounted.
  package func randomAction(
    using random: inout some RandomNumberGenerator
  ) -> (path: Path, payload: Bytes) {
    makeAction(random.next())
  }

  /// The outputs of an operation, the same each time.
  package func result(of operation: String, input: Bytes) -> OperationResult {
    results(operation, input)
  }
}
