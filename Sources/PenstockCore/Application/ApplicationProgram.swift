/// A composed application with its types erased.
package protocol ApplicationProgram: Sendable {
  var description: ApplicationDescription { get }
  /// The program of a placed scope.
  /// - Throws: `UndecodableError` with the reason when the path is unknown or can't be placed.
  func node(at path: Path, placement: [Path]) throws -> any NodeProgram
  /// The oracle (R1): derives everything from the records, the whole state typed in one place.
  /// - Parameters:
  ///   - sequences: after which records the state is wanted.
  ///   - results: after which records everything else is.
  func replay(
    _ order: [OrderRecord], statesAt sequences: Set<UInt64>, resultsAt results: Set<UInt64>
  ) -> ReplayResult
}

extension ApplicationProgram {
  package func replay(_ order: [OrderRecord], statesAt sequences: Set<UInt64>) -> ReplayResult {
    replay(order, statesAt: sequences, resultsAt: [])
  }
}
