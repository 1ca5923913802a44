package import Machines

/// What one seed showed.
package struct SimulationReport: Hashable, Sendable {
  package var violation: Violation?
  package var events = 0
  package var records = 0
  package var squashes = 0
  package var unmounts = 0
  package var voids = 0
  /// Processes killed and started anew, the router included.
  package var restarts = 0
  package var sends = 0
  package var outputs = 0
  package var publications = 0
  /// Messages of the router.
  package var messages = 0
  /// Client actions that were drawn, and faults that struck: the ordinals that a case may keep.
  package var actions = 0
  package var faults = 0
  /// The journal's chain of hashes at the end.
  package var journal: UInt64 = 0
  package var reached = RarePaths()
  package var struck: [Fault: Int] = [:]

  package init() {}
}
