package import PenstockCore

/// An application under simulation: its reducers, where its scopes may be placed, and what happens.
package protocol SimulatedApplication: Sendable {
  var program: any ApplicationProgram { get }
  /// Placements to draw from; each contains the root.
  var placements: [[Path]] { get }
  /// How many unmounts with younger work in flight a seed has at least, on the average; nil when
  /// nothing is demanded of what happens in a seed.
  var leastUnmounts: Double? { get }
  /// Whether a long run has to reach every rare path.
  var reachesRarePaths: Bool { get }
  /// An action of a client.
  func action(using generator: inout SeededGenerator) -> (path: Path, payload: Bytes)
  /// What an operation does: its outputs, or a failure after them.
  func outcome(
    of operation: String, input: Bytes, using generator: inout SeededGenerator
  ) -> SimulatedOutcome
}

extension SimulatedApplication {
  package var leastUnmounts: Double? { nil }
  package var reachesRarePaths: Bool { false }
}
