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
    PlantedBug("counts deaths while it runs ahead as poison") { $0.countsSpeculativeDeaths = true },
    PlantedBug("enters outputs twice") { $0.entersOutputsTwice = true },
    PlantedBug("accepts superseded attempts") { $0.acceptsSupersededAttempts = true },
    PlantedBug("applies late results to the successor") {
      $0.appliesLateResultsToSuccessors = true
    },
    PlantedBug("accepts outputs before durable") { $0.acceptsOutputsBeforeDurable = true },
    PlantedBug("leaks workers' slots") { $0.leaksWorkerSlots = true },
    PlantedBug("loses heartbeats' cursors") { $0.losesCursors = true },
    PlantedBug("retries without end") { $0.retriesForever = true },
    PlantedBug("loses timers when it recovers") { $0.losesTimersOnRecovery = true },
    PlantedBug("goes on when its journal is fenced") { $0.goesOnWhenFenced = true },
    PlantedBug("leaves out of checkpoints what waits") { $0.forgetsWaitingInCheckpoints = true },
    PlantedBug("keeps changes that a checkpoint has") { $0.keepsCheckpointedChanges = true },
    PlantedBug("ignores gaps between frames") { $0.ignoresGaps = true },
    PlantedBug("reads a value before its owner answered") { $0.readsAheadOfOwners = true },
    PlantedBug("reads a value that is stale") { $0.readsRetiredValues = true },
  ]
}
