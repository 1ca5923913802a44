/// What goes wrong in a simulation. Each one that strikes has an ordinal in its run, so that a shrunk
/// case can keep some of them.
package enum Fault: String, CaseIterable, Hashable, Sendable {
  case loss = "a frame is lost"
  case duplication = "a frame comes twice"
  case slowFrame = "a frame is slow"
  case reconnect = "a connection breaks"
  case routerKill = "the router is killed"
  case checkpointKill = "the router is killed after a checkpoint while something waits"
  case retryKill =
    "the router is killed after it gave an effect that has outputs to another attempt"
  case slowDisk =
    "the router is killed after it gave an effect to another attempt and before a slow sync is over"
  case featureKill = "a feature is killed"
  case workerKill = "a worker is killed"
  case workerStop = "a worker stands still over its operation's time"
  case stop = "a process stands still"
  case featureHang = "a feature hangs, its link lives"
  case routerStop = "the router stands still"
  case clockStep = "the wall clock steps"
  case poison = "an action kills who reduces it"
  case attemptFailure = "an attempt fails"
  case hang = "an operation hangs"
  case drain = "a worker is drained"
  case survivor = "a killed router goes on for a while"
  case nonsense = "a client sends nonsense"
}
