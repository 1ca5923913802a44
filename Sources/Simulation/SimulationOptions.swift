package import Machines

/// What a run is made of.
package struct SimulationOptions: Sendable {
  package var seed: UInt64
  package var window: WindowPolicy
  package var clientActions = 300
  package var faults = PlantedFaults()
  /// Without it nothing is lost, stopped or killed.
  package var hasFaults = true
  package var keep = SimulationCase()
  /// Whether somebody listens to the tap; nil leaves it to the seed.
  package var isTapped: Bool?
  /// Whether the seed is to be run with a tap and without one.
  package var comparesTaps: Bool { seed % 16 == 0 }
  /// Writes each step; for looking at a seed that failed.
  package var trace: (@Sendable (String) -> Void)?

  package init(seed: UInt64, window: WindowPolicy) {
    self.seed = seed
    self.window = window
  }
}
