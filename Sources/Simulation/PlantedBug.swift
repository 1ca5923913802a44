package import Machines

/// A known bug that the simulator has to find.
package struct PlantedBug: Sendable {
  package var name: String
  package var faults: PlantedFaults

  private init(_ name: String, _ plant: (inout PlantedFaults) -> Void) {
    self.name = name
    faults = PlantedFaults()
    plant(&faults)
  }

  package static let all: [PlantedBug] = [
    PlantedBug("acknowledges before durable") { $0.acknowledgesBeforeDurable = true },
    PlantedBug("starts effects before durable") { $0.startsEffectsBeforeDurable = true },
    PlantedBug("accepts answers of an older epoch") { $0.acceptsStaleAnswers = true },
    PlantedBug("applies outputs of dead effects") { $0.appliesOutputsOfDeadEffects = true },
    PlantedBug("skips the squash after a write") { $0.skipsSquashOnWrite = true },
    PlantedBug("rolls back one record short") { $0.rollsBackOneShort = true },
    PlantedBug("ignores cancels") { $0.ignoresCancels = true },
    PlantedBug("forgets which client actions it has") { $0.forgetsClientDeduplication = true },
    PlantedBug("keeps effects of what was unmounted") { $0.keepsEffectsOfUnmounted = true },
    PlantedBug("loses sends when it recovers") { $0.losesSendsOnRecovery = true },
    PlantedBug("delivers children's changes late") { $0.deliversPatchesLate = true },
  ]
}
