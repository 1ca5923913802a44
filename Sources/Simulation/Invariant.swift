/// What every run is checked against, by the name that a failure prints.
///
/// Two have no check of their own, because equality with the oracle is one for them: an action changes
/// nothing but what its owner and its ancestors may change, and a squash leaves the states as if the
/// younger actions had never been issued early.
package enum Invariant: String, CaseIterable, Hashable, Sendable {
  /// An acknowledged action is in the journal once, at one number, with the outcome that was told.
  case acknowledgedOnce = "an acknowledged action is in the order once"
  /// What a client submitted is what is in the order for it.
  case appliesWhatWasSent = "the order has what a client sent"
  case settledOnce = "an action is settled once"
  /// What a client sent first has the lower number (R16).
  case keepsClientsOrder = "a client's actions keep their order"
  case noGaps = "numbers have no gaps and are given once"
  case orderIsPossible = "the order is a possible one"
  /// Order time never goes back, and follows the wall clock forward (R13).
  case timeGoesForward = "order time goes forward"
  case ownRandomness = "each record draws for itself"
  case stateEqualsOracle = "a published state equals the oracle's"
  /// The tap's changes, applied to the initial state, give the oracle's states.
  case changesAddUp = "the tap's changes add up to the state"
  case checkpointEqualsOracle = "a checkpoint equals the oracle's replay"
  /// An older router appends nothing and stops (R1).
  case fenced = "a fenced router stops and appends nothing"
  case nothingBeforeDurable = "nothing is told or started before it is durable"
  case outputsOnce = "an output is in the order once"
  /// An output is what its operation gave, at its place.
  case outputsAreTheirOwn = "an output comes from its own effect"
  case effectKeepsInput = "an effect keeps its id and input"
  case attemptsWithinPolicy = "attempts stay within the policy"
  case supersededIsRefused = "what a superseded attempt sends is refused"
  case cursorIsTheLast = "a new attempt gets the last cursor"
  case streamsGoForward = "a followed state goes forward"
  /// Void and unmounted records are those of the oracle (R3).
  case voidsEqualOracle = "what is void or unmounted is so for the oracle"
  case effectsEqualOracle = "the living effects are the oracle's"
  case mountsEqualOracle = "the mounts are the oracle's"
  case timersAreDue = "a timer fires when it is due, once"
  /// Set aside is only what killed a process three times while it was reduced alone (R5).
  case poisonIsProven = "what is set aside killed three times alone"
  case quarantineIsComplete = "what is set aside for good is listed"
  /// A tap, or none, makes no difference to the journal.
  case tapChangesNothing = "a tap changes nothing"
  case queuesAreBounded = "every queue stays within its bound"
  case damageIsNoticed = "a damaged entry is noticed"
  case sendsArrive = "a send arrives once"
  case causesAreTold = "a record's cause and beginning are told"
  /// Nobody stops, or is refused, for a reason that the simulation did not make.
  case nobodyGivesUp = "no process gives up by itself"
  /// What is given again to a new process is what its predecessor had, in the same order (R4).
  case givenInOrder = "a node is given everything in order"
  case messagesAreBounded = "messages for a record stay below a constant"
  /// When the faults are over, all that was sent is settled, each effect ends, everybody is up and
  /// all mirrors show the end of the order.
  case comesToRest = "everything comes to rest"
}

/// A broken invariant.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
  package var invariant: Invariant
  package var sentence: String

  package init(_ invariant: Invariant, _ sentence: String) {
    self.invariant = invariant
    self.sentence = sentence
  }

  package var description: String { "\(invariant.rawValue): \(sentence)" }
}
