/// What one seed showed.
package struct SimulationReport: Hashable, Sendable {
  package var failure: String?
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

  package init() {}
}
