/// A composed application with its types erased.
package protocol ApplicationProgram: Sendable {
  var description: ApplicationDescription { get }
  /// The program of a placed scope.
  /// - Throws: `UndecodableError` with the reason when the path is unknown or can't be placed.
  func node(at path: Path, placement: [Path]) throws -> any NodeProgram
  /// The oracle (R1): derives everything from the records, the whole state typed in one place.
  /// - Parameter sequences: after which records the state is wanted.
  func replay(_ order: [OrderRecord], statesAt sequences: Set<UInt64>) -> ReplayResult
}
