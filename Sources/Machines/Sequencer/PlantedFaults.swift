/// Bugs that the simulator plants one at a time to show that it would find them. Never set elsewhere.
package struct PlantedFaults: Hashable, Sendable {
  package var acknowledgesBeforeDurable = false
  package var startsEffectsBeforeDurable = false
  package var acceptsStaleAnswers = false
  package var appliesOutputsOfDeadEffects = false
  package var skipsSquashOnWrite = false
  package var rollsBackOneShort = false
  package var keepsCheckpointedChanges = false
  package var ignoresCancels = false
  package var forgetsClientDeduplication = false
  package var keepsEffectsOfUnmounted = false
  package var losesSendsOnRecovery = false
  package var deliversPatchesLate = false
  package var countsSpeculativeDeaths = false
  package var entersOutputsTwice = false
  package var acceptsSupersededAttempts = false
  package var appliesLateResultsToSuccessors = false
  package var acceptsOutputsBeforeDurable = false
  package var leaksWorkerSlots = false
  package var losesCursors = false
  package var retriesForever = false
  package var losesTimersOnRecovery = false
  package var goesOnWhenFenced = false
  package var forgetsWaitingInCheckpoints = false
  package var ignoresGaps = false
  package var readsAheadOfOwners = false
  package var readsRetiredValues = false

  package init() {}
}
