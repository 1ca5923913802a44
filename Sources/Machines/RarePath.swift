/// A place in the machines that few runs come to. The simulator counts how often each was reached,
/// and a long run that misses one has shown nothing about it.
package enum RarePath: String, CaseIterable, Hashable, Sendable {
  // The order
  case writeSquashes = "a write squashes younger work"
  case rerouteSquashes = "a changed mount squashes the head's stages"
  case deadOutputSquashes = "an output of a dead effect had been issued"
  case squashInRecovery = "a squash during recovery"
  case squashWhileCatchingUp = "a squash meets a node that catches up"
  case staleAnswer = "an answer is stale"
  case refusalForgotten = "a refusal on a state that never was is forgotten"
  case undecodable = "an action that can't be decoded is void"
  case tooLarge = "a transition with too many sends is void"
  case unmountedRetires = "an action retires unmounted"
  case loneDeath = "a process dies at an action reduced alone"
  case speculativeDeath = "a process dies while it runs ahead"
  case poison = "an action is set aside as poison"
  case nodeGoesDown = "a node goes down at its deadline"
  case deadlineInRecovery = "a deadline passes during recovery"
  case nodeReplaced = "a newer process takes a node over"
  case waitsAgain = "what was unavailable waits again"
  case waitsAgainTwice = "what was unavailable twice waits again"
  case runaway = "a send is set aside at the bound of waiting ones"
  case sendKnownInRecovery = "recovery finds a send in the journal"
  case sendMissingInRecovery = "recovery appends a send that the journal lacks"
  case voidWhileAhead = "younger work is rolled back below a void"
  // Cuts
  case markerAskedAgain = "a marker is asked for again"
  case markerComposed = "a marker is answered for a dead process"
  case markerDropped = "a marker is dropped"
  case checkpointTrims = "a durable checkpoint trims histories"
  case checkpointSettles = "a durable checkpoint has changes that a node was not given yet"
  // Sessions
  case duplicateSubmit = "a client's action comes a second time"
  case refusedUnavailable = "a client's action is refused as unavailable"
  case refusedAfter = "a client's action is refused after another"
  case refusedOverloaded = "a client's action is refused as too many wait"
  case clientReturns = "a client sends refused actions' successors again"
  case cancelledByHand = "an effect is ended by hand"
  // Effects
  case claimWaits = "a worker says what it runs before recovery is over"
  case attemptAdopted = "an attempt of an earlier start goes on"
  case attemptRefused = "a superseded attempt is refused"
  case attemptRetried = "an attempt is retried"
  case attemptTimedOut = "an attempt times out"
  case heartbeatTimedOut = "an attempt's heartbeats stop"
  case attemptsExhausted = "an effect fails for good"
  case workerLostRunning = "a worker is lost while it runs something"
  case handedBack = "a draining worker hands an effect back"
  case outputRepeated = "an output comes a second time"
  case attemptBeginsAgain = "an attempt skipped what a lost router had numbered"
  case endingOnTheWay = "recovery finds an effect whose end is on its way"
  case tickOnTheWay = "recovery finds a timer whose tick is on its way"
  case ticksCollapse = "missed ticks become one"
  // Features
  case catchUpReduces = "a new process reduces a history"
  case rollBackReduces = "a rollback reduces its log again"
  case rollBackToSnapshot = "a rollback goes back by a whole snapshot"
  case misfit = "an item does not fit a state that never was"

  /// Whether it can be reached only when features run ahead of a parent that writes to them.
  package var needsRunningAhead: Bool {
    switch self {
    case .writeSquashes, .refusalForgotten, .squashWhileCatchingUp, .misfit: true
    default: false
    }
  }
}
